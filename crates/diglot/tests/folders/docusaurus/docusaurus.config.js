// @ts-check
import remarkMath from 'remark-math';
/** @type {import('@docusaurus/types').Config} */
const config = {
  title: 'A Docusaurus', // 'not this'
  tagline: "It's read",
  url: process.env.URL || 'https://docs.example',
  baseUrl: '/',
  i18n: { defaultLocale: 'en', locales: ['en'] },
  presets: [['classic', { docs: { remarkPlugins: [remarkMath] } }]],
};
module.exports = config;

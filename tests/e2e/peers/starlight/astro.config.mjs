import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://example.org',
  integrations: [
    starlight({
      title: 'Harbour',
      pagefind: false,
      defaultLocale: 'en',
      locales: { en: { label: 'English', lang: 'en' }, ar: { label: 'Arabic', lang: 'ar', dir: 'rtl' } },
      sidebar: [
        { label: 'Start', items: ['zero', { label: 'Install it', slug: 'install' }] },
        { label: 'Ropes', autogenerate: { directory: 'ropes' } },
      ],
    }),
  ],
});

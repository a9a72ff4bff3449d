module.exports = {
  title: 'Harbour docs',
  url: 'https://example.org',
  baseUrl: '/',
  onBrokenLinks: 'ignore',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  presets: [
    ['classic', {
      docs: { sidebarPath: './sidebars.js', routeBasePath: 'docs' },
      blog: { onUntruncatedBlogPosts: 'ignore' },
    }],
  ],
  plugins: [
    ['@docusaurus/plugin-content-docs', {
      id: 'charts',
      path: 'charts',
      routeBasePath: 'maps',
      sidebarPath: './sidebars-charts.js',
    }],
  ],
  themeConfig: {},
};

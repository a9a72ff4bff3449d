import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'Harbour guide',
  cleanUrls: true,
  srcExclude: ['**/internal/**'],
  rewrites: {
    'packages/crane.md': 'crane.md',
    'packages/:name/docs/(.*)': 'tools/:name/(.*)',
  },
  themeConfig: {
    sidebar: {
      '/guide/': [
        { text: 'Begin', items: [
          { text: 'Guide', link: '/guide/' },
          { text: 'Zero', link: '/guide/zero' },
          { text: 'Installing', link: '/guide/install' },
        ] },
        { text: 'More', collapsed: true, items: [{ text: 'Ropes', link: '/guide/ropes' }] },
      ],
    },
  },
})

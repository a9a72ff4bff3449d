// CANARY
export default defineConfig({
  site: 'https://astro.example',
  integrations: [starlight({ title: 'An Astro', description: "With Starlight", locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } } })],
});

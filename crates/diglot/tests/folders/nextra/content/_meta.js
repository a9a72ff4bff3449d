export default {
  index: 'Welcome',
  '---': { type: 'separator' },
  guide: { title: 'The guide', theme: { toc: false } },
  habits: '',
  source: { title: 'Source ↗', href: 'https://code.example/nextra' },
  appendix: { display: 'hidden' },
}

import nextra from 'nextra'

const withNextra = nextra({ latex: true, defaultShowCopyCode: true })

export default withNextra({
  reactStrictMode: true,
  async redirects() {
    return [{ source: '/first-steps', destination: '/guide/start', permanent: true }]
  },
})

// The official SDK's client (npm, `@modelcontextprotocol/client`) against `diglot mcp`, with the protocol of
// 2025 and of 2026: mcp.mjs PROGRAM FOLDER BASE URL. Prints a line of JSON: how many calls were
// made, and what is wrong.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(process.env.JUDGE_NPM, 'x.js'))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
const { Client } = await load('@modelcontextprotocol/client')
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio')

const [program, folder, base, url] = process.argv.slice(2)
const problems = []
let calls = 0

const expect = (is, what) => { if (!is) problems.push(what) }

/** Connects to the program with one version of the protocol. */
const connected = async (mode, args) => {
  const client = new Client({ name: 'diglot-e2e', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport({ command: program, args: ['mcp', ...args, '--no-state'], stderr: 'ignore' }))
  return client
}

/** The texts of a tool's result. */
const call = async (client, name, args) => {
  calls += 1
  const { content, isError } = await client.callTool({ name, arguments: args })
  return { isError: isError ?? false, texts: content.map((block) => block.text) }
}

/** All resources, page by page. */
const resources = async (client) => {
  const all = []
  let cursor
  do {
    calls += 1
    const page = await client.listResources(cursor ? { cursor } : undefined)
    all.push(...page.resources)
    cursor = page.nextCursor
  } while (cursor)
  return all
}

/** What the client sees of one site, as plain values. */
const seen = async (client, mode) => {
  const { tools } = await client.listTools()
  expect(tools.map((tool) => tool.name).join() === 'list,read,grep,search,changes', `${mode}: the tools`)
  expect(tools.every((tool) => tool.annotations.readOnlyHint), `${mode}: a tool that writes`)
  const listed = await resources(client)
  const whole = {}
  for (const { uri } of listed.slice(0, 20)) {
    calls += 1
    const { contents } = await client.readResource({ uri })
    whole[uri] = contents[0].text
    const read = await call(client, 'read', { path: uri })
    expect(contents[0].text.startsWith(read.texts[0]), `${mode}: ${uri} differs between \`read\` and the resource`)
  }
  const results = []
  for (const [name, args] of [
    ['list', {}],
    ['list', { under: '/articles/' }],
    ['grep', { pattern: '^#+ ' }],
    ['grep', { pattern: 'markdown', ignore_case: true }],
    ['search', { query: 'markdown' }],
    ['read', { path: '/articles/nothing-here.md' }],
    ['changes', {}],
    ['changes', { since: '0'.repeat(32) }],
  ]) results.push([name, args, await call(client, name, args)])
  const found = results[4][2].texts[0]
  const target = found.match(/\((\S+)\)/)?.[1]
  expect(target, `${mode}: the search finds nothing`)
  if (target) results.push(['read', target, await call(client, 'read', { path: target })])
  expect(results[5][2].isError, `${mode}: a page that does not exist is read`)
  const [changes, unknown] = results.slice(6, 8).map(([, , result]) => result)
  expect(/The edition now is `[0-9a-f]{32}`/.test(changes.texts.at(-1)), `${mode}: ${changes.texts}`)
  expect(unknown.isError && unknown.texts[0].includes('start over'), `${mode}: ${unknown.texts}`)
  expect(!results.some(([, , result], at) => at !== 5 && at !== 7 && result.isError), `${mode}: ${JSON.stringify(results)}`)
  return { listed, whole, results }
}

const states = []
for (const mode of ['legacy', { pin: '2026-07-28' }]) {
  for (const args of [[folder, '--base-url', base], [url]]) {
    const client = await connected(mode, args)
    const wanted = mode === 'legacy' ? '2025-11-25' : mode.pin
    const spoken = client.getNegotiatedProtocolVersion()
    expect(spoken === wanted, `${wanted} was asked for, and ${spoken} spoken`)
    const { listed, ...rest } = await seen(client, `${wanted} ${args[0]}`)
    states.push(JSON.stringify({ ...rest, listed }))
    await client.close()
  }
}
expect(new Set(states).size === 1, 'a folder and its live site, or two versions, give different results')
console.log(JSON.stringify({ calls, problems }))

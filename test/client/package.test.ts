import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workerBrowser } from '../support/browser.ts'
import { seedCatalog } from '../support/catalog.ts'
import { newOrganization, type TestOrganization } from '../support/client.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const run = promisify(execFile)

let service: Standalone
let organization: TestOrganization
/** Folder of a program that has the package installed, as its users have. */
let app: string
let keys: { readonly person: string; readonly page: string }
/** Examples in the README, with their language. */
let readme: readonly { readonly kind: string; readonly text: string }[]

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-package-'))
  app = join(folder, 'app')
  await mkdir(app)
  await run('npm', ['pack', '-w', 'client', '--pack-destination', folder])
  const tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz'))!)
  await writeFile(join(app, 'package.json'), '{"type": "module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: app })
  const text = await readFile(join(app, 'node_modules/aisle-client/README.md'), 'utf8')
  readme = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind, block]) => ({
    kind: kind!,
    text: block!,
  }))
  service = await startStandalone('package', { shared: true })
  organization = await newOrganization(service)
  const drill = (id: string, volts: string, cost: number) => ({
    id,
    name: `Forge ${volts} cordless drill`,
    facets: { Voltage: volts },
    vendors: [{ vendorName: 'Oakvale Supply', cost, inStock: true }],
  })
  const products = [
    drill('D-100', '18 V', 89.5),
    drill('D-200', '12 V', 74),
    { id: 'W-300', name: 'Wrench' },
  ]
  await seedCatalog(service, organization, products, 'tools')
  keys = {
    person: await organization.key('administrator'),
    page: await organization.key('viewer', 'search'),
  }
})

afterAll(async () => {
  await service?.stop()
  await rm(dirname(app), { recursive: true, force: true })
})

const blocks = (kind: string, isFor: (text: string) => boolean) =>
  readme.flatMap((one) => (one.kind === kind && isFor(one.text) ? [one.text] : []))
const isForPages = (text: string) => text.includes('container:')

test('it contains only the necessary files', async () => {
  const names = await readdir(join(app, 'node_modules/aisle-client'))
  expect(names.sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json'])
  const licence = await readFile(join(app, 'node_modules/aisle-client/LICENSE'), 'utf8')
  expect(licence).toBe(await readFile('LICENSE', 'utf8'))
  const { dependencies, private: isPrivate } = JSON.parse(
    await readFile(join(app, 'node_modules/aisle-client/package.json'), 'utf8'),
  )
  expect([dependencies, isPrivate]).toEqual([undefined, undefined])
})

test('its types accept valid calls and refuse invalid ones, in an older TypeScript, too', async () => {
  const packages = createRequire(resolve('test/openapi/clients/package.json'))
  const compiler = join(dirname(packages.resolve('typescript/package.json')), 'bin/tsc')
  await cp('test/client/use/types.ts', join(app, 'types.ts'))
  // Except for its own libraries.
  const checked = { strict: true, skipDefaultLibCheck: true }
  const common = { ...checked, noEmit: true, types: [], target: 'es2023' }
  const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable']
  const kinds = [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]
  for (const kind of kinds) {
    const compilerOptions = { ...common, lib, ...kind }
    await writeFile(
      join(app, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['types.ts'] }),
    )
    const problems = await run(process.execPath, [compiler], { cwd: app }).then(
      () => undefined,
      ({ stdout, message }) => stdout || message,
    )
    expect(problems).toBeUndefined()
  }
})

/** Bundles a script for a page; returns its code. */
async function bundled(name: string, text: string): Promise<string> {
  await writeFile(join(app, `${name}.js`), text)
  const output = await build({
    root: app,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, target: 'es2023', rolldownOptions: { input: join(app, `${name}.js`) } },
  })
  const [{ output: files }] = [output].flat() as unknown as [
    { output: { type: string; code?: string }[] },
  ]
  return files.find(({ type }) => type === 'chunk')!.code!
}

test('search alone is small, and so is the rest', async () => {
  const bytes = async (name: string, text: string) => gzipSync(await bundled(name, text)).byteLength
  const search = "import { search } from 'aisle-client'\nwindow.found = search({ key: 'k' }, {})"
  expect(await bytes('search', search)).toBeLessThan(2_500)
  const shop =
    "import { aisleSearchClient } from 'aisle-client'\nwindow.client = aisleSearchClient({})"
  expect(await bytes('shop', shop)).toBeLessThan(5_000)
  const all = "import { createClient } from 'aisle-client'\nwindow.client = createClient({})"
  expect(await bytes('all', all)).toBeLessThan(12_000)
})

describe('its README', () => {
  test('has examples that search, fail, walk and export in a program', async () => {
    const programs = blocks('js', (text) => !isForPages(text))
    const [searched, alone, failed, walked] = await Promise.all(
      programs.map(async (text, at) => {
        const file = join(app, `example-${at}.js`)
        await writeFile(file, `const { AISLE, KEY } = process.env\n${text}`)
        const env = { ...process.env, AISLE: service.address, KEY: keys.person }
        return (await run(process.execPath, [file], { env })).stdout
      }),
    )
    expect(searched).toBe("1 [ 'Forge 18 V cordless drill' ]\n")
    expect(alone).toMatch(/^2 \[\n.*D-[12]00/s)
    expect(failed).toMatch(/^404 notFound Product not found\. \S+ undefined\n$/)
    expect(walked!.split('\n')).toEqual(['2', '1', '3', ...['D-100', 'D-200', 'W-300'].sort(), ''])
    const every = blocks('js', () => true)
    for (const text of every) expect(text.trim().split('\n').length).toBeLessThanOrEqual(10)
  })

  test('has commands that work', async () => {
    const [commands] = blocks('sh', (text) => text.includes('profile add'))
    const env = {
      ...process.env,
      AISLE: service.address,
      KEY: keys.person,
      XDG_CONFIG_HOME: join(app, 'settings'),
      PATH: `${join(app, 'node_modules/.bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    }
    const script = `set -e\n${commands!.replaceAll('npx aisle', 'aisle')}`
    const { stdout, stderr } = await run('bash', ['-c', script], { cwd: app, env })
    expect(stdout).toContain('D-100  -      Forge 18 V cordless drill  89.5   yes')
    expect(stdout).toMatch(/3 rows in .*: 0 created, 0 updated, 3 unchanged, 0 rejected/)
    expect(`${stdout}${stderr}`).not.toContain(keys.person)
    const [settings] = await readdir(join(app, 'settings/aisle'))
    expect(settings).toBe('profiles.json')
  })

  test('has a page that shows results and suggestions', async () => {
    for (const name of ['instantsearch.js', '@algolia']) {
      await symlink(resolve('node_modules', name), join(app, 'node_modules', name))
    }
    const own = `const AISLE = '${service.address}'\nconst KEY = '${keys.page}'\n`
    const [instant, complete] = await Promise.all(
      blocks('js', isForPages).map((text, at) => bundled(`page-${at}`, own + text)),
    )
    const page = await (await workerBrowser()).newPage()
    try {
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      const elements = ['words', 'voltage', 'hits', 'complete'].map(
        (id) => `<div id="${id}"></div>`,
      )
      const scripts = ['instant', 'complete'].map(
        (name) => `<script type="module" src="${name}.js"></script>`,
      )
      const serve = (path: string, contentType: string, body: string) =>
        page.route(`${service.address}/page/${path}`, (route) =>
          route.fulfill({ contentType, body }),
        )
      await serve('', 'text/html', `<!doctype html>${elements.join('')}${scripts.join('')}`)
      await serve('instant.js', 'text/javascript', instant!)
      await serve('complete.js', 'text/javascript', complete!)
      await page.goto(`${service.address}/page/`)
      await page.locator('#hits li').nth(2).waitFor()
      await page.locator('#words input').fill('drill')
      await page.locator('#voltage').getByText('18 V').click()
      await page.locator('#hits li').nth(1).waitFor({ state: 'detached' })
      expect(await page.locator('#hits li').allInnerTexts()).toEqual(['Forge 18 V cordless drill'])
      // The chosen values of a facet do not narrow that facet.
      await page.locator('#voltage').getByText('12 V').waitFor()
      await page.locator('#complete input').fill('wren')
      await page.locator('.aa-Item', { hasText: 'Wrench' }).waitFor()
      expect(problems).toEqual([])
    } finally {
      await page.close()
    }
  })
})

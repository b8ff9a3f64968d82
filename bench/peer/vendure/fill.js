import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import {
  bootstrap,
  ChannelService,
  ConfigService,
  Facet,
  FacetTranslation,
  FacetValue,
  FacetValueTranslation,
  FastImporterService,
  JobQueueService,
  Populator,
  RequestContextService,
  SearchService,
  TaxCategoryService,
  TransactionalConnection,
} from '@vendure/core'
import { configOf } from './config.js'

/** The channel data that a shop needs before it can have products. */
const PLACE = {
  defaultLanguage: 'en',
  defaultZone: 'Somewhere',
  countries: [{ name: 'Somewhere', code: 'XX', zone: 'Somewhere' }],
  taxRates: [{ name: 'None', percentage: 0 }],
  shippingMethods: [],
  paymentMethods: [],
  collections: [],
}
const AT_ONCE = 500
const language = { languageCode: 'en' }

const settings = JSON.parse(process.argv[2])
const app = await bootstrap(configOf(settings, { filling: true }))
await app.get(Populator).populateInitialData(PLACE)
const channel = await app.get(ChannelService).getDefaultChannel()
// Not by readline, which also splits at U+2028.
const lines = (await readFile(settings.products, 'utf8')).trimEnd().split('\n')
const products = lines.map((line) => JSON.parse(line))
await fill(products, await storeFacets(products))
await index()
console.log('filled')
await app.close()
process.exit()

/** Stores each facet and each of its values once; returns the ids of values by both names. */
async function storeFacets(products) {
  const connection = app.get(TransactionalConnection).rawConnection
  const save = (entities) =>
    connection.getRepository(entities[0].constructor).save(entities, { chunk: AT_ONCE })
  const channels = [channel]
  const facets = new Map()
  const values = new Map()
  for (const [name, value] of products.flatMap((product) => product.facets)) {
    const facet =
      facets.get(name) ?? new Facet({ code: `facet-${facets.size}`, isPrivate: false, channels })
    facets.set(name, facet)
    const key = keyOf(name, value)
    if (!values.has(key)) {
      const code = `value-${values.size}`
      values.set(key, { name: value, entity: new FacetValue({ code, facet, channels }) })
    }
  }
  await save([...facets.values()])
  await save([...facets].map(([name, base]) => new FacetTranslation({ ...language, name, base })))
  await save([...values.values()].map(({ entity }) => entity))
  await save(
    [...values.values()].map(
      ({ name, entity }) => new FacetValueTranslation({ ...language, name, base: entity }),
    ),
  )
  return new Map([...values].map(([key, { entity }]) => [key, entity.id]))
}

/** Stores each product with one variant. */
async function fill(products, valueIds) {
  const importer = app.get(FastImporterService)
  await importer.initialize(channel)
  const ctx = await app.get(RequestContextService).create({ apiType: 'admin' })
  const [taxCategory] = (await app.get(TaxCategoryService).findAll(ctx)).items
  for (const { id, name, description, sku, price, stock, facets } of products) {
    const productId = await importer.createProduct({
      enabled: true,
      translations: [{ ...language, name, description, slug: id }],
      facetValueIds: facets.map(([facet, value]) => valueIds.get(keyOf(facet, value))),
    })
    await importer.createProductVariant({
      productId,
      sku,
      price,
      stockOnHand: stock,
      taxCategoryId: taxCategory.id,
      translations: [{ ...language, name }],
    })
  }
}

/** Lets the plugin index everything, as its mutation `reindex` does. */
async function index() {
  const ctx = await app.get(RequestContextService).create({ apiType: 'admin' })
  await app.get(JobQueueService).start()
  const { id } = await app.get(SearchService).reindex(ctx)
  const { jobQueueStrategy } = app.get(ConfigService).jobQueueOptions
  // Its own `updates()` never ends for jobs that are kept in memory.
  while (true) {
    const job = await jobQueueStrategy.findOne(id)
    if (job.state === 'FAILED') throw new Error(job.error)
    if (job.state === 'COMPLETED') return
    await pause(100)
  }
}

function keyOf(facet, value) {
  return JSON.stringify([facet, value])
}

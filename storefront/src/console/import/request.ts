import type { Mapping } from '../types.ts'

/** The options of an import as the form holds them. */
export interface Options {
  readonly vendor: string
  /** If undefined, detected automatically. */
  readonly header: boolean | undefined
  readonly sheet: string
  readonly zippedFile: string
  readonly createProducts: boolean
  readonly updateMetadata: boolean
  readonly fullFile: boolean
}

export const AS_IT_IS: Options = {
  vendor: '',
  header: undefined,
  sheet: '',
  zippedFile: '',
  createProducts: true,
  updateMetadata: true,
  fullFile: false,
}

export interface Plan {
  readonly fileUrl: string
  readonly catalog: string
  readonly options: Options
  readonly mappings: readonly Mapping[]
}

const said = <T>(name: string, value: T | undefined | '') =>
  value === undefined || value === '' ? {} : { [name]: value }

/** The body of Get Import Sample. */
export const sampleBody = (fileUrl: string, { header, sheet, zippedFile }: Options) => ({
  fileUrl,
  ...said('header', header),
  ...said('sheet', sheet),
  ...said('zippedFile', zippedFile),
})

/** The body of Import Data. */
export const importBody = ({ fileUrl, catalog, options, mappings }: Plan) => ({
  ...sampleBody(fileUrl, options),
  targetCatalog: catalog,
  ...said('vendor', options.vendor),
  createProducts: options.createProducts,
  updateMetadata: options.updateMetadata,
  fullFile: options.fullFile,
  mappings: [...mappings],
})

/** The body of Validate Extension for the same import; all its values are strings. */
export function trialBody(plan: Plan) {
  const { targetCatalog, mappings, ...values } = importBody({
    ...plan,
    options: { ...plan.options, vendor: '' },
  })
  return {
    ...{ catalog: targetCatalog, mappings, vendors: 'all' as const },
    ...said('vendor', plan.options.vendor),
    additionalData: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, String(value)]),
    ),
  }
}

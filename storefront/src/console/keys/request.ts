/** A new key as the form holds it; lists have one entry per line. */
export interface KeyForm {
  readonly name: string
  readonly keyType: 'full' | 'search' | 'import'
  readonly username: string
  readonly expires: string
  readonly catalogs: readonly string[]
  readonly isPublic: boolean
  readonly inStock: boolean
  readonly manufacturers: string
  readonly vendors: string
  readonly category: string
  readonly priceList: string
  readonly perSecond: string
  readonly perAddress: string
  readonly origins: string
  readonly maxAge: string
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const numberOf = (text: string): number | null => (text === '' ? null : Number(text))

/** The time of a `datetime-local` input in ISO 8601 UTC; null if it is empty. */
const timeOf = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())

/** The body of Generate API Key; only search keys have restrictions. */
export function keyBody(form: KeyForm) {
  const { name, keyType, username } = form
  const own = { name, keyType, ...(username ? { username } : {}), expires: timeOf(form.expires) }
  return keyType === 'search' ? { ...own, ...boundsOf(form) } : own
}

function boundsOf(form: KeyForm) {
  const manufacturer = lines(form.manufacturers)
  const vendors = lines(form.vendors)
  const { catalogs, inStock, category } = form
  const isFiltered = manufacturer.length + vendors.length > 0 || inStock || category !== ''
  const [perSecond, perAddress] = [numberOf(form.perSecond), numberOf(form.perAddress)]
  const [origins, maxAge] = [lines(form.origins), numberOf(form.maxAge)]
  return {
    ...(catalogs.length > 0 ? { catalogs } : {}),
    ...(isFiltered
      ? { filter: { manufacturer, vendors, category: category || null, inStock } }
      : {}),
    ...(form.priceList === '' ? {} : { priceList: form.priceList }),
    hide: form.isPublic ? ['public' as const] : [],
    ...(perSecond !== null || perAddress !== null ? { rate: { perSecond, perAddress } } : {}),
    ...(origins.length > 0 ? { origins } : {}),
    ...(maxAge === null ? {} : { cache: { maxAge } }),
  }
}

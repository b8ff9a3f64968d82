import { limits } from '../../limits.ts'
import { headingStart } from '../rows/headings.ts'
import { akeneo } from './akeneo.ts'
import { amazon } from './amazon.ts'
import { amazonCurrent } from './amazon-current.ts'
import { bigcommerce, bigcommerceLegacy } from './bigcommerce.ts'
import { magento } from './magento.ts'
import { prestashop, prestashopCombinations } from './prestashop.ts'
import { shopify, shopifyCurrent } from './shopify.ts'
import { shopware } from './shopware.ts'
import { folded, type ShopSystem } from './system.ts'
import { woocommerce } from './woocommerce.ts'

/** Systems whose files need no mappings. */
const SYSTEMS: readonly ShopSystem[] = [
  ...[shopify, shopifyCurrent, woocommerce, magento, bigcommerce, bigcommerceLegacy, prestashop],
  ...[prestashopCombinations, akeneo, amazon, amazonCurrent, shopware],
]

const SIGNATURES = SYSTEMS.flatMap((system) =>
  system.signatures.map((names) => ({ system, names: names.map(folded) })),
)

/** The system with these headings in a row; undefined for none. */
export function systemOf(row: readonly string[]): ShopSystem | undefined {
  const headings = row.slice(0, limits.importColumns).map(headingStart)
  const present = new Set(headings.map(folded))
  const found = SIGNATURES.find(({ names }) => names.every((name) => present.has(name)))
  return found?.system ?? translatedSystem(headings)
}

function translatedSystem(headings: readonly string[]): ShopSystem | undefined {
  for (const system of SYSTEMS) {
    const { english } = system
    if (!english) continue
    const present = new Set(headings.map((heading) => folded(english(heading) ?? heading)))
    if (system.signatures.some((names) => names.every((name) => present.has(folded(name))))) {
      return system
    }
  }
  return undefined
}

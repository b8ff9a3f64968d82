import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { Categories } from './categories.tsx'
import { FacetFilter } from './facet.tsx'
import { RangeFilter } from './range.tsx'
import { Switch } from './switch.tsx'

const OPEN_FACETS = 4

/** All filters of the search. */
export function Filters() {
  const { search, session } = useShop()
  const currency = useStore(search.currency) ?? session.currency
  const facets = useStore(search.facets)
  const ranges = useStore(search.ranges)
  const stock = useStore(search.stock)
  const [price, ...numbers] = ranges?.numbers ?? []
  return (
    <div class="filters">
      {stock && (
        <Switch on={stock.value.isRefined} onChange={() => stock.refine(stock.value)}>
          In stock only
        </Switch>
      )}
      <Categories />
      {price && ranges && (
        <RangeFilter
          key={price.attribute}
          number={price}
          unit={currency}
          choose={ranges.choose}
          isOpen
        />
      )}
      {facets?.facets.map((facet, at) => (
        <FacetFilter
          key={facet.attribute}
          facet={facet}
          choose={facets.choose}
          find={facets.find}
          isOpen={at < OPEN_FACETS || facet.values.some(({ isChosen }) => isChosen)}
        />
      ))}
      {ranges &&
        numbers.map((number) => (
          <RangeFilter
            key={number.attribute}
            number={number}
            choose={ranges.choose}
            isOpen={number.from !== undefined || number.to !== undefined}
          />
        ))}
    </div>
  )
}

import { Icon } from '../../ui/icons.tsx'
import { Table } from '../parts/table.tsx'
import type { OfferDraft } from './draft.ts'

interface OffersProps {
  readonly offers: readonly OfferDraft[]
  readonly problem: string | undefined
  onChange(offers: readonly OfferDraft[]): void
}

const NEW: OfferDraft = {
  before: undefined,
  vendorName: '',
  vendorPartNumber: '',
  cost: '',
  onHand: '',
}

const INPUTS = [
  ['vendorName', 'Vendor', 'text'],
  ['vendorPartNumber', 'Part number', 'text'],
  ['cost', 'Price', 'decimal'],
  ['onHand', 'Stock', 'decimal'],
] as const

/** The offers of a product: each vendor's price and stock. */
export function Offers({ offers, problem, onChange }: OffersProps) {
  const set = (index: number, offer: OfferDraft) =>
    onChange(offers.map((one, at) => (at === index ? offer : one)))
  return (
    <section class="offer-form" aria-labelledby="offers">
      <h2 id="offers">Offers</h2>
      {offers.length > 0 && (
        <Table label="Offers" heads={[...INPUTS.map(([, label]) => label), 'Remove']}>
          {offers.map((offer, at) => (
            <tr key={at}>
              {INPUTS.map(([name, label, mode]) => (
                <td key={name} class="cell">
                  <input
                    aria-label={`${label} of ${offer.vendorName || `offer ${at + 1}`}`}
                    inputMode={mode}
                    maxLength={200}
                    // A different name would be another vendor's offer.
                    readOnly={name === 'vendorName' && offer.before !== undefined}
                    value={offer[name]}
                    onInput={({ currentTarget }) =>
                      set(at, { ...offer, [name]: currentTarget.value })
                    }
                  />
                </td>
              ))}
              <td>
                <button
                  type="button"
                  class="close"
                  aria-label={`Remove ${offer.vendorName || `offer ${at + 1}`}`}
                  onClick={() => onChange(offers.filter((_, other) => other !== at))}
                >
                  <Icon name="close" />
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <button type="button" class="more" onClick={() => onChange([...offers, NEW])}>
        Add offer
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

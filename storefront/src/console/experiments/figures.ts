import type { Answer } from 'aisle-client'

export type Report = Answer<'experimentReport'>
type Compared = keyof Report['difference']

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const place = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** The metrics that are compared, and which direction is better. */
export const COMPARED: Readonly<
  Record<Compared, { readonly title: string; readonly isRate: boolean; readonly better: 1 | -1 }>
> = {
  clickThroughRate: { title: 'Click-through rate', isRate: true, better: 1 },
  conversionRate: { title: 'Conversion rate', isRate: true, better: 1 },
  clickPosition: { title: 'Average click position', isRate: false, better: -1 },
}

export function figureText(of: Compared, value: number | null): string {
  if (value === null) return '–'
  return COMPARED[of].isRate ? percent.format(value) : place.format(value)
}

/** The difference between both variants, and its significance. */
export function verdictOf(
  of: Compared,
  { value, low, high }: Report['difference'][Compared],
): { readonly text: string; readonly verdict: string } {
  const shown = (difference: number) =>
    COMPARED[of].isRate ? points.format(difference * 100) : points.format(difference)
  const unit = COMPARED[of].isRate ? ' points' : ''
  if (value === null) return { text: '–', verdict: 'No data yet' }
  if (low === null || high === null) {
    return { text: `${shown(value)}${unit}`, verdict: 'Not enough visitors' }
  }
  const text = `${shown(value)}${unit} (${shown(low)} to ${shown(high)})`
  if (low <= 0 && high >= 0) return { text, verdict: 'No significant difference' }
  return { text, verdict: value * COMPARED[of].better > 0 ? 'Better' : 'Worse' }
}

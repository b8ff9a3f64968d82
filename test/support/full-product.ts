/** A product with a value in every field that callers can set. */
export const DRILL = {
  id: 'drill',
  description: 'A cordless drill.',
  manufacturer: 'Bosch',
  manufacturerPartNumber: '06019H4000',
  name: 'GSR 18V-55',
  image: 'https://example.com/drill.png',
  unspsc: '27112703',
  segment: 'Tools',
  category: 'Power tools',
  subCategory: 'Drills',
  msrp: 189.5,
  images: [{ id: 'i1', url: 'https://example.com/side.png', name: 'Side', type: 'image/png' }],
  vendors: [
    { vendorName: 'Acme', vendorPartNumber: 'A-1', name: 'Drill', cost: 120, onHand: 4 },
    { vendorName: 'Zeta', cost: 118.25, onHand: 0, status: 'back-ordered' },
  ],
  attributes: { Voltage: '18 V' },
  filters: { 'Weight (kg)': 1.1 },
  facets: { Color: 'blue' },
  links: [{ type: 'manual', value: 'https://example.com/drill.pdf', recommended: true }],
  upcs: ['3165140953238'],
}

/** Draws a family's product as SVG shapes on 320 x 240, in its maker's color `c`. No text. */
export type Shape = (c: string) => string

const DARK = '#2b3138'
const STEEL = '#aab4bd'
const PALE = '#e8edf1'

const each = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw(i)).join('')

const hexagon = (x: number, y: number, radius: number): string =>
  Array.from({ length: 6 }, (_, i) => {
    const angle = (Math.PI / 3) * i
    return `${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`
  }).join(' ')

export const shapes: Readonly<Record<string, Shape>> = {
  notebook: (c) => `
    <rect x="80" y="50" width="160" height="106" rx="7" fill="${DARK}"/>
    <rect x="88" y="58" width="144" height="90" fill="${c}"/>
    <path d="M60 164h200l22 24a6 6 0 0 1-5 10H43a6 6 0 0 1-5-10z" fill="${STEEL}"/>
    <rect x="132" y="180" width="56" height="12" rx="3" fill="${PALE}"/>`,
  monitor: (c) => `
    <rect x="48" y="40" width="224" height="134" rx="6" fill="${DARK}"/>
    <rect x="56" y="48" width="208" height="118" fill="${c}"/>
    <path d="M144 174h32l6 24h-44z" fill="${STEEL}"/>
    <rect x="104" y="198" width="112" height="10" rx="5" fill="${STEEL}"/>`,
  switch: (c) => `
    <rect x="30" y="88" width="260" height="64" rx="6" fill="${c}"/>
    <rect x="40" y="100" width="18" height="40" rx="3" fill="${DARK}"/>
    ${each(16, (i) => `<rect x="${72 + (i % 8) * 25}" y="${i < 8 ? 98 : 124}" width="19" height="18" rx="2" fill="${DARK}"/><circle cx="${91 + (i % 8) * 25}" cy="${i < 8 ? 94 : 147}" r="2" fill="#7fe08a"/>`)}`,
  cable: (c) => `
    <path d="M84 150c0-60 150-70 150 0s-130 62-130 8 96-52 96 0" fill="none" stroke="${c}" stroke-width="13" stroke-linecap="round"/>
    <rect x="66" y="142" width="36" height="48" rx="5" fill="${PALE}" stroke="${DARK}" stroke-width="3"/>
    <rect x="182" y="150" width="36" height="48" rx="5" fill="${PALE}" stroke="${DARK}" stroke-width="3"/>`,
  ssd: (c) => `
    <rect x="46" y="78" width="228" height="84" rx="5" fill="${c}"/>
    ${each(3, (i) => `<rect x="${66 + i * 62}" y="92" width="50" height="56" rx="4" fill="${DARK}"/>`)}
    ${each(9, (i) => `<rect x="266" y="${82 + i * 9}" width="16" height="5" fill="#d9b44a"/>`)}`,
  'label-printer': (c) => `
    <rect x="78" y="56" width="164" height="130" rx="14" fill="${DARK}"/>
    <rect x="78" y="56" width="164" height="52" rx="14" fill="${c}"/>
    <path d="M112 128h96v74a6 6 0 0 1-6 6h-84a6 6 0 0 1-6-6z" fill="${PALE}"/>
    ${each(8, (i) => `<rect x="${124 + i * 9}" y="142" width="${i % 3 === 0 ? 6 : 3}" height="44" fill="${DARK}"/>`)}`,
  toner: (c) => `
    <rect x="52" y="94" width="216" height="56" rx="12" fill="${DARK}"/>
    <rect x="72" y="78" width="176" height="34" rx="8" fill="${c}"/>
    <rect x="40" y="108" width="14" height="28" rx="4" fill="${STEEL}"/>
    <rect x="266" y="108" width="14" height="28" rx="4" fill="${STEEL}"/>
    <rect x="70" y="134" width="180" height="10" rx="5" fill="${STEEL}"/>`,
  drill: (c) => `
    <rect x="76" y="62" width="132" height="54" rx="16" fill="${c}"/>
    <path d="M208 74h24l16 10v10l-16 10h-24z" fill="${DARK}"/>
    <rect x="248" y="86" width="38" height="6" fill="${STEEL}"/>
    <path d="M96 112h44l-12 66H90z" fill="${DARK}"/>
    <rect x="74" y="176" width="72" height="32" rx="6" fill="${c}"/>`,
  'hex-bolt': (c) => `
    <rect x="128" y="98" width="136" height="44" fill="${STEEL}"/>
    ${each(12, (i) => `<path d="M${156 + i * 9} 98l-8 44" stroke="${DARK}" stroke-width="2.5"/>`)}
    <polygon points="${hexagon(98, 120, 52)}" fill="${c}" stroke="${DARK}" stroke-width="4"/>
    <circle cx="98" cy="120" r="27" fill="none" stroke="${PALE}" stroke-width="4"/>`,
  glove: (c) => `
    ${each(4, (i) => `<rect x="${112 + i * 27}" y="${[58, 40, 44, 62][i]}" width="23" height="92" rx="11" fill="${c}"/>`)}
    <path d="M112 122h104v44c0 10-8 18-18 18h-68c-10 0-18-8-18-18l-34-42c-8-12 8-24 18-14l16 16z" fill="${c}"/>
    <rect x="122" y="182" width="84" height="26" rx="5" fill="${DARK}"/>`,
  lamp: (c) => `
    <path d="M160 34a58 58 0 0 1 34 105c-8 7-10 13-10 21h-48c0-8-2-14-10-21a58 58 0 0 1 34-105z" fill="#f6df8d"/>
    <circle cx="160" cy="92" r="24" fill="${c}" opacity="0.75"/>
    ${each(3, (i) => `<rect x="136" y="${164 + i * 13}" width="48" height="10" rx="5" fill="${STEEL}"/>`)}
    <rect x="148" y="203" width="24" height="8" rx="4" fill="${DARK}"/>`,
  bearing: (c) => `
    <circle cx="160" cy="120" r="90" fill="${c}"/>
    <circle cx="160" cy="120" r="72" fill="${PALE}"/>
    <circle cx="160" cy="120" r="44" fill="${c}"/>
    <circle cx="160" cy="120" r="28" fill="#ffffff"/>
    ${each(10, (i) => `<circle cx="${(160 + 58 * Math.cos((Math.PI / 5) * i)).toFixed(1)}" cy="${(120 + 58 * Math.sin((Math.PI / 5) * i)).toFixed(1)}" r="12" fill="${STEEL}" stroke="${DARK}" stroke-width="1.5"/>`)}`,
}

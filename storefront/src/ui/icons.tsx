const PATHS = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  filter: 'M4 7h16M7 12h10M10 17h4',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.5l3 2',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  heart:
    'M12 19.5C5 15 3.5 11.5 3.5 9a4.3 4.3 0 0 1 8.5-1.2A4.3 4.3 0 0 1 20.5 9c0 2.5-1.5 6-8.5 10.5z',
  folder: 'M4 7h6l2 2h8v9H4z',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 13h6M9 16.5h6',
  upload: 'M12 16V5M7.5 9.5 12 5l4.5 4.5M5 19.5h14',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  task: 'M5 12.5l4.5 4.5L19 7.5',
  key: 'M8 10.5a3.75 3.75 0 1 1 0 7.5 3.75 3.75 0 0 1 0-7.5zM10.7 11.6 19 4M15.5 7.2l3 3',
  tune: 'M5 4v6M5 14v6M12 4v3M12 11v9M19 4v9M19 17v3M3 12h4M10 9h4M17 15h4',
  chart: 'M4 20V4M4 20h16M8 16v-4M12.5 16V8M17 16v-6',
  price: 'M4 4h8l8.5 8.5-8 8L4 12zM8 8h.01',
  split: 'M12 20v-7M12 13 6 6M12 13l6-7M6 10V6h4M14 6h4v4',
  plug: 'M9 3v5M15 3v5M6.5 8h11v3a5.5 5.5 0 0 1-11 0zM12 16.5V21',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 20.5h4',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon beside a text that says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)

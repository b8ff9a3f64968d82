/** Another text that may replace adjacent words. */
export interface Alternative {
  /** Index of the first word; `last` is inclusive. */
  readonly first: number
  readonly last: number
  readonly text: string
  readonly kind: 'compound' | 'synonym' | 'spelling'
  /** The words of the text may be apart: `Hülle für Notebook` for `Notebookhülle`. */
  readonly isNonAdjacent?: boolean
  /** A correction that changes the first letter. */
  readonly isGuess?: boolean
}

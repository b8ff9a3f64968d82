const LONGEST = 512

/** Repeats `text` up to the longest text that a search accepts. */
const filled = (text: string): string =>
  text.repeat(Math.ceil(LONGEST / text.length)).slice(0, LONGEST)

const letter = (at: number) => 'abcdefghijklmnopqrstuvwxyz'[at % 26]!

/**
 * Texts that people, robots and attackers may type, by name. They are most expensive for a catalog
 * in which most products contain `words`.
 */
export function oddTexts(words: readonly string[]): Readonly<Record<string, string>> {
  const of = (make: (word: string, at: number) => string) =>
    Array.from({ length: 64 }, (_, at) => make(words[at % words.length]!, at))
      .join(' ')
      .slice(0, LONGEST)
  return {
    marks: filled('!"\'?* '),
    emoji: filled('😀 👩‍👩‍👧‍👦'),
    'right to left': filled('\u202eمرحبا بالعالم שלום '),
    'spelled out by folding': 'ﷺ'.repeat(LONGEST),
    'a number of 300 digits': '9'.repeat(300),
    'with a unit': `${'9'.repeat(300)} mm`,
    'unbalanced quotes': filled('"toner (\' [x {'),
    operators: filled('AND OR NOT '),
    'query syntax': filled('name:* || /x/ -~1 ^2 \\ '),
    star: '*',
    'a pattern': '/regex/',
    html: filled('<b onclick="x">toner</b><script>'),
    'one long word': 'a'.repeat(LONGEST),
    'one word again and again': filled('noteboko '),
    'words of one letter': filled('a b c d e f g h i j k l m n o p q r s t u v w x y z '),
    'letters and digits': filled('x9'),
    'many part numbers': Array.from({ length: 90 }, (_, at) => `${letter(at)}${at * 137}x`)
      .join(' ')
      .slice(0, LONGEST),
    'many measures': Array.from({ length: 90 }, (_, at) => `${at} mm`)
      .join(' ')
      .slice(0, LONGEST),
    'pairs of letters': Array.from({ length: 26 }, (_, at) => letter(at) + letter(at + 1)).join(
      ' ',
    ),
    'not wanted': of((word) => `-${word}`),
    'common words': of((word) => word),
    'common words misspelt': of((word, at) => `${word.slice(0, -1)}${letter(at * 7)}`),
    'beginnings of common words': of((word) => word.slice(0, 2)),
    'compounds of common words': of((word, at) => `${word}${words[(at + 1) % words.length]}`),
  }
}

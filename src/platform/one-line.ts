/** The text on one line, with single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

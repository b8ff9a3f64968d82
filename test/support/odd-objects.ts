/** JSON of objects that all have other names, about 2 MB: JSON.parse takes 100 ms and more for it. */
export const oddObjects = (): string => {
  const objects = Array.from({ length: 9_400 }, (_, at) => {
    const names = Array.from({ length: 20 }, (_, name) => `"k${(20 * at + name).toString(36)}":1`)
    return `{${names.join()}}`
  })
  return `[${objects.join()}]`
}

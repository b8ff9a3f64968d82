/** Saves a file that was fetched with the key, as a download does. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}

/** The file name in the `Content-Disposition` of a response. */
export function nameOf({ headers }: Pick<Response, 'headers'>): string {
  const [, name = 'file'] =
    /; filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '') ?? []
  return decodeURIComponent(name)
}

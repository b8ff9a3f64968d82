/** Lets the browser keep a file that only the organization may read. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}

/** What the service calls a file that it answers. */
export function nameOf({ headers }: Pick<Response, 'headers'>): string {
  const [, name = 'file'] =
    /; filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '') ?? []
  return decodeURIComponent(name)
}

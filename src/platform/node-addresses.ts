/** The addresses in a setting that may name several nodes of a cluster, with commas between. */
export const nodeAddresses = (text: string): string[] => text.split(',').map((url) => url.trim())

/** The node addresses in a setting, separated by commas. */
export const nodeAddresses = (text: string): string[] => text.split(',').map((url) => url.trim())

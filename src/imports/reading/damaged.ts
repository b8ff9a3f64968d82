/** The rest of an archive cannot be read; what came before it was. */
export class Damaged extends Error {
  constructor() {
    super('The archive is damaged or cut short.')
    this.name = 'Damaged'
  }
}

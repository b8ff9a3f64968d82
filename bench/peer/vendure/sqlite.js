import { DatabaseSync } from 'node:sqlite'

/**
 * The part of better-sqlite3 that TypeORM uses, on Node's SQLite, so that nothing has to be
 * compiled.
 */
export class Sqlite {
  #database

  constructor(path) {
    this.#database = new DatabaseSync(path)
  }

  prepare(sql) {
    const statement = this.#database.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (...parameters) => statement.all(...parameters),
      run: (...parameters) => statement.run(...parameters),
    }
  }

  pragma(text) {
    return this.#database.prepare(`PRAGMA ${text}`).all()
  }

  function(name, compute) {
    this.#database.function(name, compute)
  }

  close() {
    this.#database.close()
  }
}

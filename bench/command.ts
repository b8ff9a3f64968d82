interface Command<O> {
  /** Begins the lines that it says. */
  readonly name: string
  readonly usage: string
  /** Throws an Error that says what is wrong with the arguments. */
  readonly readOptions: (args: readonly string[]) => O
  readonly run: (options: O) => Promise<void>
}

/** Runs a command with the options of its line; it exits with 2 for wrong ones, with 1 when it fails. */
export async function runCommand<O>({ name, usage, readOptions, run }: Command<O>): Promise<void> {
  const say = ({ message }: Error) => process.stderr.write(`${name}: ${message}\n`)
  let options: O
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    say(error as Error)
    process.stderr.write(`\n${usage}\n`)
    process.exit(2)
  }
  await run(options).catch((error: Error) => {
    say(error)
    process.exitCode = 1
  })
}

interface Command<O> {
  /** Prefix of the lines that it prints. */
  readonly name: string
  readonly usage: string
  /** Throws an Error that says which argument is wrong. */
  readonly readOptions: (args: readonly string[]) => O
  readonly run: (options: O) => Promise<void>
}

/**
 * Runs a command with the options of its command line. Exits with 2 for wrong options and with 1
 * after a failure.
 */
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

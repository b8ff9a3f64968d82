import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { exportCommands } from './export.ts'
import { importCommands } from './import.ts'
import { keyCommands } from './keys.ts'
import { productCommands } from './products.ts'
import { profileCommands } from './profile.ts'
import { searchCommands } from './search.ts'
import { settingsCommands } from './settings.ts'
import { taskCommands } from './tasks.ts'

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  ...searchCommands,
  ...importCommands,
  ...exportCommands,
  ...productCommands,
  ...settingsCommands,
  ...taskCommands,
  ...keyCommands,
  ...profileCommands,
  completionCommand(() => commands),
]

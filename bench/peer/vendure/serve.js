import { bootstrap } from '@vendure/core'
import { configOf } from './config.js'

const app = await bootstrap(configOf(JSON.parse(process.argv[2])))
process.once('SIGTERM', () => app.close().finally(() => process.exit(0)))
console.log('listening')

import { ADMIN, call, type Elastic } from './client.ts'

/** Blocks further writes; pending ones have ended when it resolves. */
export const blockWrites = ({ client }: Elastic, index: string): Promise<unknown> =>
  call(() => client.indices.addBlock({ index, block: 'write' }, ADMIN))

export const allowWrites = ({ client }: Elastic, index: string): Promise<unknown> =>
  call(() =>
    client.indices.putSettings({ index, settings: { 'index.blocks.write': false } }, ADMIN),
  )

export async function refusesWrites({ client }: Elastic, index: string): Promise<boolean> {
  const name = 'index.blocks.write'
  const answer = await call(() =>
    client.indices.getSettings({ index, name, flat_settings: true }, ADMIN),
  )
  const settings = answer[index]?.settings as Record<string, unknown> | undefined
  return settings?.[name] === 'true'
}

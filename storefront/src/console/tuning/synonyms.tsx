import { Icon } from '../../ui/icons.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ListInput } from './list-input.tsx'
import { replaced, type SynonymGroup, type Synonyms } from './settings.ts'
import type { EditorProps } from './tuning-page.tsx'

/** An editor for synonyms. */
export function SynonymEditor({ value, problemAt, onChange }: EditorProps<Synonyms>) {
  const { groups, starter } = value
  const set = (index: number, group: SynonymGroup | undefined) =>
    onChange({ ...value, groups: replaced(groups, index, group) })
  const add = (group: SynonymGroup) => onChange({ ...value, groups: [...groups, group] })
  return (
    <>
      <Switch on={starter} onChange={(on) => onChange({ ...value, starter: on })}>
        <span>
          Built-in English and German synonyms
          <small>For example laptop and notebook.</small>
        </span>
      </Switch>
      {groups.length === 0 && <p class="none">No custom synonyms yet.</p>}
      {groups.map((group, at) => (
        <div key={at} class="synonym">
          <Group
            group={group}
            problem={problemAt(`synonyms.groups[${at}]`)}
            onChange={(next) => set(at, next)}
          />
          <button
            type="button"
            class="close"
            aria-label={`Remove synonym ${at + 1}`}
            onClick={() => set(at, undefined)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div class="buttons">
        <button type="button" class="button" onClick={() => add({ words: [''], from: [], to: [] })}>
          Add two-way synonym
        </button>
        <button type="button" class="button" onClick={() => add({ words: [], from: [], to: [] })}>
          Add one-way synonym
        </button>
      </div>
    </>
  )
}

interface GroupProps {
  readonly group: SynonymGroup
  readonly problem: string | undefined
  onChange(group: SynonymGroup): void
}

function Group({ group, problem, onChange }: GroupProps) {
  if (group.words.length > 0) {
    return (
      <ListInput
        label="Equivalent words"
        hint="Separate with commas."
        list={group.words}
        problem={problem}
        onChange={(words) => onChange({ ...group, words: words.length > 0 ? words : [''] })}
      />
    )
  }
  return (
    <>
      <ListInput
        label="Searching for"
        list={group.from}
        problem={problem}
        onChange={(from) => onChange({ ...group, from })}
      />
      <ListInput label="Also finds" list={group.to} onChange={(to) => onChange({ ...group, to })} />
    </>
  )
}

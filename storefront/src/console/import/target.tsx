import { useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { CreateCatalog } from '../catalogs/create-catalog.tsx'
import { useConsole } from '../console.ts'
import { formatRoute } from '../route.ts'

const NEW = '+'

/** Selects the catalog to import into, or creates one. */
export function Target({ catalog }: { catalog: string }) {
  const { catalogs, turn } = useConsole()
  const names = useStore(catalogs)
  const choose = (name: string) => turn(formatRoute({ page: 'import', catalog: name }))
  const [isNew, setNew] = useState(catalog === '')
  return (
    <section class="step" aria-labelledby="target">
      <h2 id="target">Target catalog</h2>
      {names.length > 0 && (
        <label class="picker">
          Catalog
          <select
            value={isNew ? NEW : catalog}
            onChange={({ currentTarget }) => {
              const isOther = currentTarget.value === NEW
              setNew(isOther)
              if (!isOther) choose(currentTarget.value)
            }}
          >
            {names.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
            <option value={NEW}>New catalog…</option>
          </select>
        </label>
      )}
      {isNew && (
        <CreateCatalog
          onCreated={(name) => {
            setNew(false)
            choose(name)
          }}
        />
      )}
    </section>
  )
}

import type { ComponentType } from 'preact'
import type { IconName } from '../ui/icons.tsx'
import { AuditPage } from './audit/audit-page.tsx'
import { CallbacksPage } from './callbacks/callbacks-page.tsx'
import { CatalogsPage } from './catalogs/catalogs-page.tsx'
import { ExperimentsPage } from './experiments/experiments-page.tsx'
import { ExtensionsPage } from './extensions/extensions-page.tsx'
import { ImportPage } from './import/import-page.tsx'
import { KeysPage } from './keys/keys-page.tsx'
import { UsersPage } from './people/users-page.tsx'
import { PriceListsPage } from './prices/price-lists-page.tsx'
import { ProductsPage } from './products/products-page.tsx'
import { ReportsPage } from './reports/reports-page.tsx'
import { TasksPage } from './tasks/tasks-page.tsx'
import { TuningPage } from './tuning/tuning-page.tsx'
import { UsagePage } from './usage/usage-page.tsx'

export interface Screen {
  readonly page: string
  readonly title: string
  readonly icon: IconName
  readonly Page: ComponentType
}

/** The entries of the menu, in order. */
export const SCREENS: readonly Screen[] = [
  { page: 'catalogs', title: 'Catalogs', icon: 'folder', Page: CatalogsPage },
  { page: 'import', title: 'Import', icon: 'upload', Page: ImportPage },
  { page: 'products', title: 'Products', icon: 'box', Page: ProductsPage },
  { page: 'prices', title: 'Price lists', icon: 'price', Page: PriceListsPage },
  { page: 'tuning', title: 'Search tuning', icon: 'tune', Page: TuningPage },
  { page: 'experiments', title: 'Experiments', icon: 'split', Page: ExperimentsPage },
  { page: 'reports', title: 'Reports', icon: 'search', Page: ReportsPage },
  { page: 'tasks', title: 'Tasks', icon: 'task', Page: TasksPage },
  { page: 'keys', title: 'API keys', icon: 'key', Page: KeysPage },
  { page: 'users', title: 'Users', icon: 'person', Page: UsersPage },
  { page: 'extensions', title: 'Extensions', icon: 'plug', Page: ExtensionsPage },
  { page: 'callbacks', title: 'Callbacks', icon: 'bell', Page: CallbacksPage },
  { page: 'audit', title: 'Audit log', icon: 'list', Page: AuditPage },
  { page: 'usage', title: 'Usage', icon: 'chart', Page: UsagePage },
]

import { seedCatalog } from '../support/catalog.ts'
import { expectOk, type TestOrganization } from '../support/client.ts'
import type { TestService } from '../support/service.ts'

/**
 * Creates what the documented examples refer to, so that requests made from them find something.
 */
export async function seedExamples(
  service: TestService,
  organization: TestOrganization,
): Promise<void> {
  const vendors = [{ vendorName: 'Oakvale Supply', cost: 89.5, inStock: true }]
  const products = [
    { id: 'D-100', name: 'Forge 18 V cordless drill driver', vendors },
    { id: 'W-300', name: 'Combination wrench 19 mm' },
  ]
  await seedCatalog(service, organization, products, 'demo')
  await seedCatalog(service, organization, products, 'tools')
  const { call } = organization
  await expectOk(call('POST /api/workspaces', { body: { name: 'kitchen' } }))
  await expectOk(call('PUT /api/organizations/current', { body: { defaultCatalog: 'demo' } }))
}

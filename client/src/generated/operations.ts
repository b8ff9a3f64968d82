// Made of the operation table by `npm run client:generate`; test/client/generated.test.ts compares.
import { operation } from '../operation.ts'

/** Tells that a product of an answer was clicked, put into a cart or bought. For viewers and stronger roles. Keys of type search may call it, too. */
export const reportChoice = /* @__PURE__ */ operation<'reportChoice'>(
  'POST api/search/choice',
  { body: 'json' },
)

/** What the organization searched for: the commonest queries, those without result, and those whose hits nobody chose. For editors and stronger roles. */
export const searchReport = /* @__PURE__ */ operation<'searchReport'>(
  'GET api/reporting/searches?from&to&catalog&format&kind&limit',
  { repeatable: true },
)

/** How many searches each day had, and what came of them. For editors and stronger roles. */
export const searchReportByDay = /* @__PURE__ */ operation<'searchReportByDay'>(
  'GET api/reporting/searches/days?from&to&catalog&format',
  { repeatable: true },
)

/** Marks a product as the caller's favorite. For viewers and stronger roles. */
export const addToUserFavorites = /* @__PURE__ */ operation<'addToUserFavorites'>(
  'PUT api/Catalog/{catalog}/products/{id}/favorites/user',
  { repeatable: true },
)

/** Takes the caller's mark from a product. For viewers and stronger roles. */
export const removeFromUserFavorites = /* @__PURE__ */ operation<'removeFromUserFavorites'>(
  'DELETE api/Catalog/{catalog}/products/{id}/favorites/user',
  { repeatable: true },
)

/** Marks a product as the organization's favorite. For editors and stronger roles. */
export const addToOrganizationFavorites = /* @__PURE__ */ operation<'addToOrganizationFavorites'>(
  'PUT api/Catalog/{catalog}/products/{id}/favorites/organization',
  { repeatable: true },
)

/** Takes the organization's mark from a product. For editors and stronger roles. */
export const removeFromOrganizationFavorites = /* @__PURE__ */ operation<'removeFromOrganizationFavorites'>(
  'DELETE api/Catalog/{catalog}/products/{id}/favorites/organization',
  { repeatable: true },
)

/** Products of a catalog that the caller or the organization marked, as Search finds them. For viewers and stronger roles. */
export const getFavorites = /* @__PURE__ */ operation<'getFavorites'>(
  'GET api/favorites?page&pageSize&catalog',
  { repeatable: true },
)

/** Sets the caller's mark, and an editor the organization's; what is absent stays. For viewers and stronger roles. */
export const setFavorites = /* @__PURE__ */ operation<'setFavorites'>(
  'PUT api/favorites/{id}?catalog',
  { body: 'json', repeatable: true },
)

/** As Remove from Organization Favorites. For editors and stronger roles. */
export const removeCompanyFavorite = /* @__PURE__ */ operation<'removeCompanyFavorite'>(
  'DELETE api/favorites/{id}/company?catalog',
  { repeatable: true },
)

/** As Remove from User Favorites. For viewers and stronger roles. */
export const removeUserFavorite = /* @__PURE__ */ operation<'removeUserFavorite'>(
  'DELETE api/favorites/{id}/user?catalog',
  { repeatable: true },
)

/** 6.0: all notes of the organization. 1.0: the caller's own. For viewers and stronger roles. */
export const getProductNotes = /* @__PURE__ */ operation<'getProductNotes'>(
  'GET api/Catalog/{catalog}/products/{id}/notes',
  { repeatable: true },
)

/** Writes the caller's own note; an empty text removes it. For viewers and stronger roles. */
export const updateProductNotes = /* @__PURE__ */ operation<'updateProductNotes'>(
  'PUT api/Catalog/{catalog}/products/{id}/notes',
  { body: 'json', repeatable: true },
)

/** Removes the caller's own note; 404 where there is none. For viewers and stronger roles. */
export const deleteNote = /* @__PURE__ */ operation<'deleteNote'>(
  'DELETE api/Catalog/{catalog}/products/{id}/notes',
  { repeatable: true },
)

/** Replaces the organization's tags of a product; an empty list removes them. For editors and stronger roles. */
export const updateProductTags = /* @__PURE__ */ operation<'updateProductTags'>(
  'PUT api/Catalog/{catalog}/products/{productId}/tags',
  { body: 'json', repeatable: true },
)

/** Replaces the caller's own tags of a product; nobody else sees or finds them. For viewers and stronger roles. */
export const updateProductTagsUser = /* @__PURE__ */ operation<'updateProductTagsUser'>(
  'PUT api/Catalog/{catalog}/products/{productId}/userTags',
  { body: 'json', repeatable: true },
)

/** Every extension field that the organization set on a product. For viewers and stronger roles. */
export const getExtensionFields = /* @__PURE__ */ operation<'getExtensionFields'>(
  'GET api/Catalog/{catalog}/products/{id}/extensionFields',
  { repeatable: true },
)

/** The fields of one extension on a product. For viewers and stronger roles. */
export const getProductSpecificExtensionFields = /* @__PURE__ */ operation<'getProductSpecificExtensionFields'>(
  'GET api/Catalog/{catalog}/products/{id}/extensionFields/{extension}',
  { repeatable: true },
)

/** Sets one field of an extension on a product; null or an empty value removes it. For editors and stronger roles. */
export const updateExtensionsField = /* @__PURE__ */ operation<'updateExtensionsField'>(
  'PUT api/Catalog/{catalog}/products/{id}/extensionFields/{extension}/{field}',
  { body: 'json', repeatable: true },
)

/** Links a product to what an extension calls by another id; twice adds one link. For editors and stronger roles. */
export const addExtensionLink = /* @__PURE__ */ operation<'addExtensionLink'>(
  'PUT api/Catalog/{catalog}/products/{id}/links/{extensionId}/{externalId}',
  { repeatable: true },
)

/** Who created, changed and saw what of keys, users, extensions and settings, newest first, a page at a time. For administrators. */
export const getAuditLog = /* @__PURE__ */ operation<'getAuditLog'>(
  'GET api/reporting/audit?pageSize&from&to&user&keyId&operation&target&targetId&outcome&requestId&reads&after&allOrganizations&format',
  { repeatable: true },
)

/** Creates, updates and deletes up to 1000 products, each as an operation by itself would; answers what became of each. For editors and stronger roles. */
export const writeProducts = /* @__PURE__ */ operation<'writeProducts'>(
  'POST api/Catalog/{catalog}/products/batch',
  { body: 'json', keyed: true },
)

/** Sets prices and stock of up to 5000 offers of products that there are, and nothing else. For editors and stronger roles. */
export const writeOffers = /* @__PURE__ */ operation<'writeOffers'>(
  'POST api/Catalog/{catalog}/offers',
  { body: 'json', keyed: true },
)

/** Sets up to 5000 prices of a list; answers what became of each line. For editors and stronger roles. */
export const writePrices = /* @__PURE__ */ operation<'writePrices'>(
  'POST api/Catalog/{catalog}/priceLists/{priceList}/prices',
  { body: 'json', keyed: true },
)

/** Looks at what a search finds; with the token of that look queues the deletion of these products. For editors and stronger roles. */
export const deleteProducts = /* @__PURE__ */ operation<'deleteProducts'>(
  'POST api/Catalog/{catalog}/products/delete',
  { body: 'json' },
)

/** Looks at what a search finds; with the token of that look queues a change of these products. For editors and stronger roles. */
export const updateProducts = /* @__PURE__ */ operation<'updateProducts'>(
  'POST api/Catalog/{catalog}/products/update',
  { body: 'json' },
)

/** Lists the callbacks of tasks with every attempt to deliver them, newest first. For editors and stronger roles. */
export const getCallbacks = /* @__PURE__ */ operation<'getCallbacks'>(
  'GET api/callbacks?page&pageSize',
  { repeatable: true },
)

/** Delivers a callback again under the same id, with a whole schedule of attempts. For editors and stronger roles. */
export const redeliverCallback = /* @__PURE__ */ operation<'redeliverCallback'>(
  'POST api/callbacks/{id}/redeliver',
)

/** Makes a new secret that signs callbacks, shown once; the one before signs for 24 hours. For administrators. */
export const rotateCallbackSecret = /* @__PURE__ */ operation<'rotateCallbackSecret'>(
  'POST api/callbacks/secret',
)

/** Lists the organization's own catalogs and those of its parent. For viewers and stronger roles. */
export const getCatalogs = /* @__PURE__ */ operation<'getCatalogs'>(
  'GET api/Catalog',
  { repeatable: true },
)

/** Creates a catalog, whose name is unique in the organization, its parent and children. For administrators. */
export const createCatalog = /* @__PURE__ */ operation<'createCatalog'>(
  'POST api/Catalog',
  { body: 'json' },
)

/** Changes the catalog of that name; what the body leaves out stays. For administrators. */
export const updateCatalog = /* @__PURE__ */ operation<'updateCatalog'>(
  'PUT api/Catalog',
  { body: 'json', repeatable: true },
)

/** Makes a catalog unfindable at once; its name is free again when its products are gone. For administrators. */
export const deleteCatalog = /* @__PURE__ */ operation<'deleteCatalog'>(
  'DELETE api/Catalog/{catalog}',
  { repeatable: true },
)

/** Exports products, a workspace, a catalog or what a search finds in it. For editors and stronger roles. */
export const runExtension = /* @__PURE__ */ operation<'runExtension'>(
  'POST api/extensions/export/{id}/run?catalog',
  { body: 'json' },
)

/** What an export calls products: links that are kept, and those that it knows itself. For viewers and stronger roles. */
export const runExistingExtensionLinks = /* @__PURE__ */ operation<'runExistingExtensionLinks'>(
  'POST api/extensions/export/{id}/existing',
  { body: 'json' },
)

/** Products that an item of another system, or a product, may be; the best first. For viewers and stronger roles. */
export const runExtensionPossibleMatches = /* @__PURE__ */ operation<'runExtensionPossibleMatches'>(
  'POST api/extensions/export/{id}/possibleMatches',
  { body: 'json' },
)

/** Values that a field of an export may be given. For editors and stronger roles. */
export const runExtensionOptions = /* @__PURE__ */ operation<'runExtensionOptions'>(
  'POST api/extensions/export/{id}/{field}/options?catalog',
  { body: 'json' },
)

/** Links of products of one type, as Add Extension Link and exports keep them. For viewers and stronger roles. */
export const extensionLinks = /* @__PURE__ */ operation<'extensionLinks'>(
  'POST api/extensions/links/{extension}',
  { body: 'json', repeatable: true },
)

/** Keeps the bytes of the body for some days and answers their address, for imports. For editors and stronger roles. Keys of type import may call it, too. */
export const uploadFile = /* @__PURE__ */ operation<'uploadFile'>(
  'POST api/files?name',
  { body: 'stream' },
)

/** Answers the bytes of a file of the organization, as a download. For viewers and stronger roles. Keys of type import may call it, too. */
export const readFile = /* @__PURE__ */ operation<'readFile'>(
  'GET api/files/{id}',
  { answer: 'bytes', repeatable: true },
)

/** Answers a picture by its id, or a smaller one of it; needs no key, since a page’s <img> sends none. Needs no key. */
export const readImage = /* @__PURE__ */ operation<'readImage'>(
  'GET api/images/{id}?width',
  { answer: 'bytes', repeatable: true },
)

/** Keeps a PNG, JPEG, GIF or WebP picture, and shows it on the product that is named. For editors and stronger roles. */
export const saveProductImage = /* @__PURE__ */ operation<'saveProductImage'>(
  'POST api/images?catalog&productId',
  { body: 'json' },
)

/** Takes custom images off a product; a file that no product shows any more is removed. For editors and stronger roles. */
export const deleteCustomProductImages = /* @__PURE__ */ operation<'deleteCustomProductImages'>(
  'POST api/images/{productId}/delete?catalog',
  { body: 'json' },
)

/** Queues the import of a file, uploaded or elsewhere, or of an installed extension, behind others into the same catalog; Get Tasks shows its progress. For editors and stronger roles. Keys of type import may call it, too. */
export const importData = /* @__PURE__ */ operation<'importData'>(
  'POST api/extensions/import/import',
  { body: 'json' },
)

/** Queues the import of an installed import extension, with its stored values. For editors and stronger roles. Keys of type import may call it, too. */
export const runImportExtension = /* @__PURE__ */ operation<'runImportExtension'>(
  'POST api/extensions/import/{id}/run',
)

/** Queues the imports of all enabled import extensions of a catalog. For editors and stronger roles. Keys of type import may call it, too. */
export const runImportExtensionsForFolio = /* @__PURE__ */ operation<'runImportExtensionsForFolio'>(
  'POST api/extensions/import/folio/{id}/run',
)

/** Queues a task that fetches the pictures of a catalog that lie elsewhere, and has its products show them from here. For editors and stronger roles. Keys of type import may call it, too. */
export const fetchPictures = /* @__PURE__ */ operation<'fetchPictures'>(
  'POST api/Catalog/{catalog}/pictures/fetch',
  { body: 'json' },
)

/** Lists the extensions that can be installed: built-in and registered ones. For viewers and stronger roles. */
export const getAvailableExtensions = /* @__PURE__ */ operation<'getAvailableExtensions'>(
  'GET api/extensions/available',
  { repeatable: true },
)

/** One extension that can be installed, with the fields that it asks for. For viewers and stronger roles. */
export const getExtension = /* @__PURE__ */ operation<'getExtension'>(
  'GET api/extensions/available/{id}',
  { repeatable: true },
)

/** Says what installing with these values would meet, and what an import would do; writes nothing. For administrators. */
export const validateExtension = /* @__PURE__ */ operation<'validateExtension'>(
  'POST api/extensions/available/{id}/validate',
  { body: 'json' },
)

/** The first rows of what an import would read, with a suggested mapping of its columns. For editors and stronger roles. Keys of type import may call it, too. */
export const getImportSample = /* @__PURE__ */ operation<'getImportSample'>(
  'POST api/extensions/available/{id}/getSample',
  { body: 'json' },
)

/** The values that a field of an extension may be given, narrowed by `search`. For administrators. */
export const getInstallExtensionOptions = /* @__PURE__ */ operation<'getInstallExtensionOptions'>(
  'GET api/extensions/available/{id}/{field}/installOptions?search',
  { repeatable: true },
)

/** Installs an extension with its values; protected ones are sealed and never shown again. For administrators. */
export const installExtension = /* @__PURE__ */ operation<'installExtension'>(
  'POST api/extensions/available/{id}/install',
  { body: 'json' },
)

/** Lists what the organization can run: its own extensions, its parent’s, and built-in ones. For viewers and stronger roles. */
export const getInstalledExtensions = /* @__PURE__ */ operation<'getInstalledExtensions'>(
  'GET api/extensions/installed',
  { repeatable: true },
)

/** Changes an installed extension; what the request does not name stays. For administrators. */
export const updateInstalledExtension = /* @__PURE__ */ operation<'updateInstalledExtension'>(
  'PUT api/extensions/installed/{id}',
  { body: 'json', repeatable: true },
)

/** Removes an installed extension, also another user’s own, and its values; what it imported stays. For administrators. */
export const uninstallExtension = /* @__PURE__ */ operation<'uninstallExtension'>(
  'DELETE api/extensions/installed/{id}',
  { repeatable: true },
)

/** The runs of an installed extension, newest first, a page at a time. For viewers and stronger roles. */
export const getExtensionLogs = /* @__PURE__ */ operation<'getExtensionLogs'>(
  'GET api/extensions/installed/{id}/logs?page&pageSize',
  { repeatable: true },
)

/** Reads the manifest of a remote extension and offers it to the organization; again, to read it anew. For administrators. */
export const registerExtension = /* @__PURE__ */ operation<'registerExtension'>(
  'POST api/extensions/available',
  { body: 'json' },
)

/** Takes a registered extension back that is not installed. For administrators. */
export const removeExtension = /* @__PURE__ */ operation<'removeExtension'>(
  'DELETE api/extensions/available/{id}?allOrganizations',
  { repeatable: true },
)

/** Makes a key of the caller, or for an administrator of any member; its secret is shown once. For any user. */
export const generateAPIKey = /* @__PURE__ */ operation<'generateAPIKey'>(
  'POST api/KeyAuth/keys',
  { body: 'json' },
)

/** Lists the caller’s keys, for an administrator all of the organization, newest first. For any user. */
export const getAPIKeys = /* @__PURE__ */ operation<'getAPIKeys'>(
  'GET api/KeyAuth/keys',
  { repeatable: true },
)

/** Ends a key: at once here, within two seconds on every instance. For any user. */
export const disableAPIKey = /* @__PURE__ */ operation<'disableAPIKey'>(
  'DELETE api/KeyAuth/keys/{id}',
  { repeatable: true },
)

/** Makes an organization, with a parent and with users where they are given. For operators. */
export const createOrganization = /* @__PURE__ */ operation<'createOrganization'>(
  'POST api/organizations',
  { body: 'json' },
)

/** Changes the organization in effect: absent stays, null clears, lists replace; limits and credits by an operator only. For administrators. */
export const updateOrganization = /* @__PURE__ */ operation<'updateOrganization'>(
  'PUT api/organizations/current',
  { body: 'json', repeatable: true },
)

/** Lists the organizations that the key reaches, in order of id, up to 250 a page. For any user. */
export const getOrganizations = /* @__PURE__ */ operation<'getOrganizations'>(
  'GET api/organizations?page&pageSize',
  { repeatable: true },
)

/** Answers the organization in effect with its own catalogs and its users. For viewers and stronger roles. */
export const getOrganizationDetails = /* @__PURE__ */ operation<'getOrganizationDetails'>(
  'GET api/organizations/current',
  { repeatable: true },
)

/** Adds a user or changes role and name: absent stays, a new user without a role is a viewer; told by mail on request. For administrators. */
export const saveUserToOrganization = /* @__PURE__ */ operation<'saveUserToOrganization'>(
  'PUT api/organizations/current/users/{uname}',
  { body: 'json', repeatable: true },
)

/** Ends a membership, its keys and what the user installed alone; the last administrator stays. For administrators. */
export const removeUserFromOrganization = /* @__PURE__ */ operation<'removeUserFromOrganization'>(
  'DELETE api/organizations/current/users/{uname}',
  { repeatable: true },
)

/** The caller's saved searches, by name. For viewers and stronger roles. */
export const getSavedSearches = /* @__PURE__ */ operation<'getSavedSearches'>(
  'GET api/search/saved',
  { repeatable: true },
)

/** Keeps a search of the caller under a name, in place of the one that had it. For viewers and stronger roles. */
export const saveSearch = /* @__PURE__ */ operation<'saveSearch'>(
  'PUT api/search/saved/{name}?catalog',
  { body: 'json', repeatable: true },
)

/** Forgets a saved search of the caller. For viewers and stronger roles. */
export const deleteSavedSearch = /* @__PURE__ */ operation<'deleteSavedSearch'>(
  'DELETE api/search/saved/{name}',
  { repeatable: true },
)

/** Keeps which columns the caller wants on a page, in their order. For viewers and stronger roles. */
export const saveColumns = /* @__PURE__ */ operation<'saveColumns'>(
  'PUT api/organizations/current/columns/{page}',
  { body: 'json', repeatable: true },
)

/** The caller's columns of a page; none when none were saved. For viewers and stronger roles. */
export const getColumns = /* @__PURE__ */ operation<'getColumns'>(
  'GET api/organizations/current/columns/{page}',
  { repeatable: true },
)

/** Lists the price lists of a catalog. For viewers and stronger roles. */
export const getPriceLists = /* @__PURE__ */ operation<'getPriceLists'>(
  'GET api/Catalog/{catalog}/priceLists',
  { repeatable: true },
)

/** Answers what is said of a price list. For viewers and stronger roles. */
export const getPriceList = /* @__PURE__ */ operation<'getPriceList'>(
  'GET api/Catalog/{catalog}/priceLists/{priceList}',
  { repeatable: true },
)

/** Creates a price list, or replaces what is said of it; its prices stay. For editors and stronger roles. */
export const savePriceList = /* @__PURE__ */ operation<'savePriceList'>(
  'PUT api/Catalog/{catalog}/priceLists/{priceList}',
  { body: 'json', repeatable: true },
)

/** Deletes a price list; its prices are removed in the background. For editors and stronger roles. */
export const deletePriceList = /* @__PURE__ */ operation<'deletePriceList'>(
  'DELETE api/Catalog/{catalog}/priceLists/{priceList}',
  { repeatable: true },
)

/** Reads the prices of a list by page, in the order of their products. For viewers and stronger roles. */
export const getPrices = /* @__PURE__ */ operation<'getPrices'>(
  'GET api/Catalog/{catalog}/priceLists/{priceList}/prices?pageSize&after',
  { repeatable: true },
)

/** Creates a product; without an id it gets one. A taken id is 409. For editors and stronger roles. */
export const createProduct = /* @__PURE__ */ operation<'createProduct'>(
  'POST api/Catalog/{catalog}/products',
  { body: 'json' },
)

/** One product with what the organization added to it; sees every write at once. For viewers and stronger roles. Keys of type search may call it, too. */
export const getProduct = /* @__PURE__ */ operation<'getProduct'>(
  'GET api/Catalog/{catalog}/products/{id}?priceList&includeVendorDetails',
  { repeatable: true },
)

/** Changes catalog data: absent stays, null clears, lists and objects replace. For editors and stronger roles. */
export const updateProduct = /* @__PURE__ */ operation<'updateProduct'>(
  'PUT api/Catalog/{catalog}/products/{id}',
  { body: 'json', repeatable: true },
)

/** Products in the order of the ids asked for, each once; those that there are not are left out. For viewers and stronger roles. Keys of type search may call it, too. */
export const retrieveProducts = /* @__PURE__ */ operation<'retrieveProducts'>(
  'POST api/Catalog/{catalog}/retrieveProducts',
  { body: 'json', repeatable: true },
)

/** Removes a product and what was added to it; its change log stays. For editors and stronger roles. */
export const deleteProduct = /* @__PURE__ */ operation<'deleteProduct'>(
  'DELETE api/Catalog/{catalog}/products/{id}',
  { repeatable: true },
)

/** Who changed what and when, newest first, a page at a time. For viewers and stronger roles. */
export const getProductLogs = /* @__PURE__ */ operation<'getProductLogs'>(
  'GET api/Catalog/{catalog}/products/{id}/logs?page&pageSize',
  { repeatable: true },
)

/** Who changed what in the organization's products, newest first, a page at a time. For viewers and stronger roles. */
export const getProductReportingLogs = /* @__PURE__ */ operation<'getProductReportingLogs'>(
  'GET api/reporting/products?page&pageSize&user&catalog',
  { repeatable: true },
)

/** Takes one change back: what it changed gets the values from before it. For editors and stronger roles. */
export const restoreProduct = /* @__PURE__ */ operation<'restoreProduct'>(
  'POST api/Catalog/{catalog}/products/{id}/logs/{logId}/restore',
)

/** Makes the product of that id in another catalog equal to this one, offers included. For editors and stronger roles. */
export const copyProductToCatalog = /* @__PURE__ */ operation<'copyProductToCatalog'>(
  'POST api/Catalog/{catalog}/products/{id}/copyToCatalog/{targetCatalog}',
)

/** A product's prices and stock over time, oldest first. For viewers and stronger roles. */
export const getInsights = /* @__PURE__ */ operation<'getInsights'>(
  'GET api/Catalog/{catalog}/products/{id}/insights?from&to&vendor',
  { repeatable: true },
)

/** Checks a buyer’s company, username and API key, and answers where the user may shop. Needs no key. */
export const punchoutSetup = /* @__PURE__ */ operation<'punchoutSetup'>(
  'POST api/KeyAuth/punchout/setup/json',
  { body: 'json' },
)

/** Spends a token of Punchout Setup and answers the key and the workspace of the session. Needs no key. */
export const startPunchoutSession = /* @__PURE__ */ operation<'startPunchoutSession'>(
  'GET api/KeyAuth/punchout/session/{token}',
)

/** Ends a session and answers the form with which the browser takes the order back. For viewers and stronger roles. Keys of type session may call it, too. */
export const returnPunchoutSession = /* @__PURE__ */ operation<'returnPunchoutSession'>(
  'POST api/KeyAuth/punchout/return',
  { body: 'json' },
)

/** Stock and price of products, asked of every installed vendor at once. For viewers and stronger roles. */
export const runAllRealTimeExtensions = /* @__PURE__ */ operation<'runAllRealTimeExtensions'>(
  'POST api/extensions/realtime/run',
  { body: 'json' },
)

/** Stock and price of products, asked of one installed vendor. For viewers and stronger roles. */
export const runRealTimeExtension = /* @__PURE__ */ operation<'runRealTimeExtension'>(
  'POST api/extensions/realtime/{id}/run',
  { body: 'json' },
)

/** Matches a list to products, or recommends products for products or a workspace. For viewers and stronger roles. */
export const runRecommendationExtension = /* @__PURE__ */ operation<'runRecommendationExtension'>(
  'POST api/extensions/recommendation/{extension}/run',
  { body: 'json' },
)

/** Keeps a list as csv, xlsx, parquet or text for some days, and answers its url for runs. For viewers and stronger roles. */
export const uploadRecommendationFile = /* @__PURE__ */ operation<'uploadRecommendationFile'>(
  'POST api/extensions/recommendation/{extension}/files',
  { body: 'json' },
)

/** Recommends products for what is in a workspace. For viewers and stronger roles. */
export const getRecommendations = /* @__PURE__ */ operation<'getRecommendations'>(
  'GET api/workspaces/{workspace}/recommendations/{extension}',
  { repeatable: true },
)

/** Finds products, with the facets and ranges that narrow the search further. For viewers and stronger roles. Keys of type search may call it, too. */
export const search = /* @__PURE__ */ operation<'search'>(
  'POST api/search?catalog',
  { body: 'json', repeatable: true },
)

/** As Search, with its fields as parameters; caches may keep what a search key allows. For viewers and stronger roles. Keys of type search may call it, too. */
export const searchGET = /* @__PURE__ */ operation<'searchGET'>(
  'GET api/search?catalog&keywords&typing&analytics&visitor&page&pageSize&inStock&lowPrice&highPrice&priceList&manufacturer&vendors&must&boost&exclude&segment&category&subCategory&checkRealtimeSelection&includeMetadata&filters&sort&cursor&highlight&group&explain&counts&facetSearch&hidden&fields&compact&facets',
  { repeatable: true },
)

/** Finds the same products in the same order as Search, without facets. For viewers and stronger roles. Keys of type search may call it, too. */
export const simpleSearch = /* @__PURE__ */ operation<'simpleSearch'>(
  'POST api/search/simple?catalog',
  { body: 'json', repeatable: true },
)

/** Several searches at once, each answered and charged as Search answers and charges it. For viewers and stronger roles. Keys of type search may call it, too. */
export const searchMany = /* @__PURE__ */ operation<'searchMany'>(
  'POST api/search/many?catalog',
  { body: 'json', repeatable: true },
)

/** Counts the products that the same Search finds. For viewers and stronger roles. Keys of type search may call it, too. */
export const count = /* @__PURE__ */ operation<'count'>(
  'POST api/search/count?catalog',
  { body: 'json', repeatable: true },
)

/** Lists the segments, vendors, manufacturers, facets and numbers of a whole catalog. For viewers and stronger roles. Keys of type search may call it, too. */
export const metadata = /* @__PURE__ */ operation<'metadata'>(
  'GET api/search/metadata?catalog&priceList&counts',
  { repeatable: true },
)

/** Manufacturers, categories and part numbers that begin with a text, and what else it may become. For viewers and stronger roles. Keys of type search may call it, too. */
export const quicksearch = /* @__PURE__ */ operation<'quicksearch'>(
  'GET api/search/quicksearch?catalog&search&include&priceList',
  { repeatable: true },
)

/** The caller's searches, newest first. For viewers and stronger roles. */
export const searchHistory = /* @__PURE__ */ operation<'searchHistory'>(
  'GET api/search/history?page&pageSize&distinct',
  { repeatable: true },
)

/** Answers as soon as the service listens, whatever Elasticsearch does. Needs no key. */
export const status = /* @__PURE__ */ operation<'status'>(
  'GET api/status',
  { answer: 'text', repeatable: true },
)

/** Says whether Elasticsearch answers and takes writes, and what is wrong when not. Needs no key. */
export const connectionStatus = /* @__PURE__ */ operation<'connectionStatus'>(
  'GET api/status/connections',
  { answer: 'text', repeatable: true },
)

/** Answers what this instance counts, in the text format of Prometheus. For operators. */
export const metrics = /* @__PURE__ */ operation<'metrics'>(
  'GET metrics',
  { answer: 'text', repeatable: true },
)

/** Lists the background tasks of the organization, newest first, with their progress. For viewers and stronger roles. Keys of type import may call it, too. */
export const getTasks = /* @__PURE__ */ operation<'getTasks'>(
  'GET api/tasks?includeDismissed&fetchUpdates',
  { repeatable: true },
)

/** One task with its progress as it is now, however many came after it. For viewers and stronger roles. Keys of type import may call it, too. */
export const getTask = /* @__PURE__ */ operation<'getTask'>(
  'GET api/tasks/{id}',
  { repeatable: true },
)

/** Marks a task as reviewed or dismissed, confirms what it asks, or cancels it: what it has done stays done. For editors and stronger roles. Keys of type import may call it, too. */
export const updateTask = /* @__PURE__ */ operation<'updateTask'>(
  'PUT api/tasks/{id}',
  { body: 'json', repeatable: true },
)

/** Answers all that is set for the searches of a catalog. For viewers and stronger roles. */
export const getSearchSettings = /* @__PURE__ */ operation<'getSearchSettings'>(
  'GET api/Catalog/{catalog}/search/settings',
  { repeatable: true },
)

/** Replaces the parts that are sent of what is set for the searches of a catalog; in effect within a second. For editors and stronger roles. */
export const updateSearchSettings = /* @__PURE__ */ operation<'updateSearchSettings'>(
  'PUT api/Catalog/{catalog}/search/settings',
  { body: 'json', repeatable: true },
)

/** Runs a search by settings that are not saved, beside the saved ones. For editors and stronger roles. */
export const previewSearchSettings = /* @__PURE__ */ operation<'previewSearchSettings'>(
  'POST api/Catalog/{catalog}/search/preview',
  { body: 'json', repeatable: true },
)

/** Answers the synonyms of a catalog. For viewers and stronger roles. */
export const getSynonyms = /* @__PURE__ */ operation<'getSynonyms'>(
  'GET api/Catalog/{catalog}/search/synonyms',
  { repeatable: true },
)

/** Replaces the synonyms of a catalog; in effect within a second. For editors and stronger roles. */
export const updateSynonyms = /* @__PURE__ */ operation<'updateSynonyms'>(
  'PUT api/Catalog/{catalog}/search/synonyms',
  { body: 'json', repeatable: true },
)

/** Answers the rules of a catalog. For viewers and stronger roles. */
export const getSearchRules = /* @__PURE__ */ operation<'getSearchRules'>(
  'GET api/Catalog/{catalog}/search/rules',
  { repeatable: true },
)

/** Replaces the rules of a catalog; in effect within a second. For editors and stronger roles. */
export const updateSearchRules = /* @__PURE__ */ operation<'updateSearchRules'>(
  'PUT api/Catalog/{catalog}/search/rules',
  { body: 'json', repeatable: true },
)

/** Answers what makes products come first in searches of a catalog. For viewers and stronger roles. */
export const getRankingSettings = /* @__PURE__ */ operation<'getRankingSettings'>(
  'GET api/Catalog/{catalog}/search/ranking',
  { repeatable: true },
)

/** Replaces what makes products come first in searches of a catalog; in effect within a second. For editors and stronger roles. */
export const updateRankingSettings = /* @__PURE__ */ operation<'updateRankingSettings'>(
  'PUT api/Catalog/{catalog}/search/ranking',
  { body: 'json', repeatable: true },
)

/** Answers the order and choice of facets of a catalog. For viewers and stronger roles. */
export const getFacetSettings = /* @__PURE__ */ operation<'getFacetSettings'>(
  'GET api/Catalog/{catalog}/search/facets',
  { repeatable: true },
)

/** Replaces the order and choice of facets of a catalog; in effect within a second. For editors and stronger roles. */
export const updateFacetSettings = /* @__PURE__ */ operation<'updateFacetSettings'>(
  'PUT api/Catalog/{catalog}/search/facets',
  { body: 'json', repeatable: true },
)

/** Has a share of the visitors search by other settings, to compare what they choose; in place of an experiment that runs. For editors and stronger roles. */
export const startExperiment = /* @__PURE__ */ operation<'startExperiment'>(
  'PUT api/Catalog/{catalog}/search/experiment',
  { body: 'json', repeatable: true },
)

/** Has all visitors search by the same settings again: as before, or as in the variant. For editors and stronger roles. */
export const endExperiment = /* @__PURE__ */ operation<'endExperiment'>(
  'POST api/Catalog/{catalog}/search/experiment/end',
  { body: 'json' },
)

/** What came of the searches of an experiment, and how sure the difference is. For editors and stronger roles. */
export const experimentReport = /* @__PURE__ */ operation<'experimentReport'>(
  'GET api/Catalog/{catalog}/search/experiment?from&to&name',
  { repeatable: true },
)

/** Counts the searches of a month, this one by default, by user and by API key. For administrators. */
export const searchUsage = /* @__PURE__ */ operation<'searchUsage'>(
  'GET api/organizations/current/usage?year&month',
  { repeatable: true },
)

/** Lists the workspaces by name with their totals, and products as far as they fit. For viewers and stronger roles. */
export const getWorkspaces = /* @__PURE__ */ operation<'getWorkspaces'>(
  'GET api/workspaces',
  { repeatable: true },
)

/** Makes an empty workspace; a taken name is 409. For viewers and stronger roles. */
export const createWorkspace = /* @__PURE__ */ operation<'createWorkspace'>(
  'POST api/workspaces',
  { body: 'json' },
)

/** Shows a workspace with its products as they are now and prices as they were when added. For viewers and stronger roles. Keys of type session may call it, too. */
export const getWorkspaceDetail = /* @__PURE__ */ operation<'getWorkspaceDetail'>(
  'GET api/workspaces/{workspace}',
  { repeatable: true },
)

/** Removes a workspace with its items; its name is free at once. For viewers and stronger roles. */
export const deleteWorkspace = /* @__PURE__ */ operation<'deleteWorkspace'>(
  'DELETE api/workspaces/{workspace}',
  { repeatable: true },
)

/** Adds a product to a workspace, which is made where there is none; again, it adds no second. For viewers and stronger roles. Keys of type session may call it, too. */
export const addProductToWorkspace = /* @__PURE__ */ operation<'addProductToWorkspace'>(
  'POST api/Catalog/{catalog}/products/{id}/addToWorkspace/{workspace}',
  { body: 'json' },
)

/** Adds several products to a workspace, all or none. For viewers and stronger roles. Keys of type session may call it, too. */
export const addItemsToWorkspace = /* @__PURE__ */ operation<'addItemsToWorkspace'>(
  'POST api/workspaces/{workspace}/items',
  { body: 'json' },
)

/** Changes quantity or price of an item, absent and null stay; a punchout session sets no price. For viewers and stronger roles. Keys of type session may call it, too. */
export const updateWorkspaceItem = /* @__PURE__ */ operation<'updateWorkspaceItem'>(
  'PUT api/workspaces/{workspace}/items/{id}',
  { body: 'json', repeatable: true },
)

/** Takes a product out of a workspace. For viewers and stronger roles. Keys of type session may call it, too. */
export const deleteWorkspaceItem = /* @__PURE__ */ operation<'deleteWorkspaceItem'>(
  'DELETE api/workspaces/{workspace}/items/{id}',
  { repeatable: true },
)

/** Sets a field of an extension on a workspace; null removes it. For viewers and stronger roles. */
export const updateWorkspaceMetadata = /* @__PURE__ */ operation<'updateWorkspaceMetadata'>(
  'PUT api/workspaces/{workspace}/metadata/{extension}/{field}',
  { body: 'json', repeatable: true },
)

/** Lists the fields that extensions have on a workspace. For viewers and stronger roles. */
export const getWorkspaceExtensionFieldMetadata = /* @__PURE__ */ operation<'getWorkspaceExtensionFieldMetadata'>(
  'GET api/workspaces/{workspace}/metadata',
  { repeatable: true },
)

/** Lists the fields that one extension has on a workspace. For viewers and stronger roles. */
export const getWorkspaceExtensionFieldMetadataByExtension = /* @__PURE__ */ operation<'getWorkspaceExtensionFieldMetadataByExtension'>(
  'GET api/workspaces/{workspace}/metadata/{extension}',
  { repeatable: true },
)

/** Shows one field of one extension on a workspace. For viewers and stronger roles. */
export const getWorkspaceExtensionFieldMetadataByField = /* @__PURE__ */ operation<'getWorkspaceExtensionFieldMetadataByField'>(
  'GET api/workspaces/{workspace}/metadata/fields/{field}?extension',
  { repeatable: true },
)

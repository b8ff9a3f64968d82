// Made of the operation table by `npm run client:generate`; test/client/generated.test.ts compares.
import { operation } from '../operation.ts'

/** Reports that a product in a search response was clicked, added to a cart or purchased. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const reportChoice = /* @__PURE__ */ operation<'reportChoice'>(
  'POST api/search/choice',
  { body: 'json' },
)

/** Returns the organization's most frequent search queries, its queries without results, or its queries whose results nobody chose. Requires the role of editor or higher. */
export const searchReport = /* @__PURE__ */ operation<'searchReport'>(
  'GET api/reporting/searches?from&to&catalog&format&kind&limit',
  { repeatable: true },
)

/** Returns the number of searches per day and the choices that followed them. Requires the role of editor or higher. */
export const searchReportByDay = /* @__PURE__ */ operation<'searchReportByDay'>(
  'GET api/reporting/searches/days?from&to&catalog&format',
  { repeatable: true },
)

/** Marks a product as a favorite of the caller. Requires the role of viewer or higher. */
export const addToUserFavorites = /* @__PURE__ */ operation<'addToUserFavorites'>(
  'PUT api/Catalog/{catalog}/products/{id}/favorites/user',
  { repeatable: true },
)

/** Removes a product from the caller's favorites. Requires the role of viewer or higher. */
export const removeFromUserFavorites = /* @__PURE__ */ operation<'removeFromUserFavorites'>(
  'DELETE api/Catalog/{catalog}/products/{id}/favorites/user',
  { repeatable: true },
)

/** Marks a product as a favorite of the organization. Requires the role of editor or higher. */
export const addToOrganizationFavorites = /* @__PURE__ */ operation<'addToOrganizationFavorites'>(
  'PUT api/Catalog/{catalog}/products/{id}/favorites/organization',
  { repeatable: true },
)

/** Removes a product from the organization's favorites. Requires the role of editor or higher. */
export const removeFromOrganizationFavorites = /* @__PURE__ */ operation<'removeFromOrganizationFavorites'>(
  'DELETE api/Catalog/{catalog}/products/{id}/favorites/organization',
  { repeatable: true },
)

/** Searches a catalog for the products that the caller or the organization marked as favorites. Requires the role of viewer or higher. */
export const getFavorites = /* @__PURE__ */ operation<'getFavorites'>(
  'GET api/favorites?page&pageSize&catalog',
  { repeatable: true },
)

/** Sets the caller's favorite mark and, for editors, the organization's. Omitted marks are left unchanged. Requires the role of viewer or higher. */
export const setFavorites = /* @__PURE__ */ operation<'setFavorites'>(
  'PUT api/favorites/{id}?catalog',
  { body: 'json', repeatable: true },
)

/** Same as Remove from Organization Favorites. Requires the role of editor or higher. */
export const removeCompanyFavorite = /* @__PURE__ */ operation<'removeCompanyFavorite'>(
  'DELETE api/favorites/{id}/company?catalog',
  { repeatable: true },
)

/** Same as Remove from User Favorites. Requires the role of viewer or higher. */
export const removeUserFavorite = /* @__PURE__ */ operation<'removeUserFavorite'>(
  'DELETE api/favorites/{id}/user?catalog',
  { repeatable: true },
)

/** Returns the notes on a product: all notes of the organization in revision 6.0, and the caller's own note in revision 1.0. Requires the role of viewer or higher. */
export const getProductNotes = /* @__PURE__ */ operation<'getProductNotes'>(
  'GET api/Catalog/{catalog}/products/{id}/notes',
  { repeatable: true },
)

/** Saves the caller's note on a product. An empty text deletes it. Requires the role of viewer or higher. */
export const updateProductNotes = /* @__PURE__ */ operation<'updateProductNotes'>(
  'PUT api/Catalog/{catalog}/products/{id}/notes',
  { body: 'json', repeatable: true },
)

/** Deletes the caller's note on a product. Returns 404 if there is none. Requires the role of viewer or higher. */
export const deleteNote = /* @__PURE__ */ operation<'deleteNote'>(
  'DELETE api/Catalog/{catalog}/products/{id}/notes',
  { repeatable: true },
)

/** Replaces the organization's tags of a product. An empty list deletes them. Requires the role of editor or higher. */
export const updateProductTags = /* @__PURE__ */ operation<'updateProductTags'>(
  'PUT api/Catalog/{catalog}/products/{productId}/tags',
  { body: 'json', repeatable: true },
)

/** Replaces the caller's own tags of a product. Other users can neither see nor search them. Requires the role of viewer or higher. */
export const updateProductTagsUser = /* @__PURE__ */ operation<'updateProductTagsUser'>(
  'PUT api/Catalog/{catalog}/products/{productId}/userTags',
  { body: 'json', repeatable: true },
)

/** Lists all extension fields that the organization set on a product. Requires the role of viewer or higher. */
export const getExtensionFields = /* @__PURE__ */ operation<'getExtensionFields'>(
  'GET api/Catalog/{catalog}/products/{id}/extensionFields',
  { repeatable: true },
)

/** Lists the fields of one extension on a product. Requires the role of viewer or higher. */
export const getProductSpecificExtensionFields = /* @__PURE__ */ operation<'getProductSpecificExtensionFields'>(
  'GET api/Catalog/{catalog}/products/{id}/extensionFields/{extension}',
  { repeatable: true },
)

/** Sets a field of an extension on a product. `null` or an empty value deletes it. Requires the role of editor or higher. */
export const updateExtensionsField = /* @__PURE__ */ operation<'updateExtensionsField'>(
  'PUT api/Catalog/{catalog}/products/{id}/extensionFields/{extension}/{field}',
  { body: 'json', repeatable: true },
)

/** Links a product to its id in another system. Repeating the call does not add a second link. Requires the role of editor or higher. */
export const addExtensionLink = /* @__PURE__ */ operation<'addExtensionLink'>(
  'PUT api/Catalog/{catalog}/products/{id}/links/{extensionId}/{externalId}',
  { repeatable: true },
)

/** Lists who created, changed and viewed keys, users, extensions and settings, newest first, in pages. Requires the role of administrator. */
export const getAuditLog = /* @__PURE__ */ operation<'getAuditLog'>(
  'GET api/reporting/audit?pageSize&from&to&user&keyId&operation&target&targetId&outcome&requestId&reads&after&allOrganizations&format',
  { repeatable: true },
)

/** Creates, updates and deletes up to 1000 products. Each operation behaves like its single-product counterpart and has its own result. Requires the role of editor or higher. */
export const writeProducts = /* @__PURE__ */ operation<'writeProducts'>(
  'POST api/Catalog/{catalog}/products/batch',
  { body: 'json', keyed: true },
)

/** Sets prices and stock of up to 5000 offers of existing products, and changes nothing else. Requires the role of editor or higher. */
export const writeOffers = /* @__PURE__ */ operation<'writeOffers'>(
  'POST api/Catalog/{catalog}/offers',
  { body: 'json', keyed: true },
)

/** Sets up to 5000 prices in a price list and returns a result for each line. Requires the role of editor or higher. */
export const writePrices = /* @__PURE__ */ operation<'writePrices'>(
  'POST api/Catalog/{catalog}/priceLists/{priceList}/prices',
  { body: 'json', keyed: true },
)

/** Previews which products a search finds, or queues their deletion when called with the token of the preview. Requires the role of editor or higher. */
export const deleteProducts = /* @__PURE__ */ operation<'deleteProducts'>(
  'POST api/Catalog/{catalog}/products/delete',
  { body: 'json' },
)

/** Previews which products a search finds, or queues a change to them when called with the token of the preview. Requires the role of editor or higher. */
export const updateProducts = /* @__PURE__ */ operation<'updateProducts'>(
  'POST api/Catalog/{catalog}/products/update',
  { body: 'json' },
)

/** Lists the callbacks of tasks with every delivery attempt, newest first. Requires the role of editor or higher. */
export const getCallbacks = /* @__PURE__ */ operation<'getCallbacks'>(
  'GET api/callbacks?page&pageSize',
  { repeatable: true },
)

/** Delivers a callback again with the same id and a new schedule of attempts. Requires the role of editor or higher. */
export const redeliverCallback = /* @__PURE__ */ operation<'redeliverCallback'>(
  'POST api/callbacks/{id}/redeliver',
)

/** Creates a new secret for signing callbacks and returns it once. The previous secret keeps signing for 24 hours. Requires the role of administrator. */
export const rotateCallbackSecret = /* @__PURE__ */ operation<'rotateCallbackSecret'>(
  'POST api/callbacks/secret',
)

/** Lists the catalogs of the organization and of its parent. Requires the role of viewer or higher. */
export const getCatalogs = /* @__PURE__ */ operation<'getCatalogs'>(
  'GET api/Catalog',
  { repeatable: true },
)

/** Creates a catalog. Its name must be unique across the organization, its parent and its children. Requires the role of administrator. */
export const createCatalog = /* @__PURE__ */ operation<'createCatalog'>(
  'POST api/Catalog',
  { body: 'json' },
)

/** Updates the catalog with the given name. Omitted fields are left unchanged. Requires the role of administrator. */
export const updateCatalog = /* @__PURE__ */ operation<'updateCatalog'>(
  'PUT api/Catalog',
  { body: 'json', repeatable: true },
)

/** Deletes a catalog at once. Its name can be reused as soon as its products are removed. Requires the role of administrator. */
export const deleteCatalog = /* @__PURE__ */ operation<'deleteCatalog'>(
  'DELETE api/Catalog/{catalog}',
  { repeatable: true },
)

/** Exports products, a workspace, a whole catalog or the results of a search in it. Requires the role of editor or higher. */
export const runExtension = /* @__PURE__ */ operation<'runExtension'>(
  'POST api/extensions/export/{id}/run?catalog',
  { body: 'json' },
)

/** Returns the ids of products in an export's system, from stored links and from the extension itself. Requires the role of viewer or higher. */
export const runExistingExtensionLinks = /* @__PURE__ */ operation<'runExistingExtensionLinks'>(
  'POST api/extensions/export/{id}/existing',
  { body: 'json' },
)

/** Finds products that may match an item of another system, or another product, best match first. Requires the role of viewer or higher. */
export const runExtensionPossibleMatches = /* @__PURE__ */ operation<'runExtensionPossibleMatches'>(
  'POST api/extensions/export/{id}/possibleMatches',
  { body: 'json' },
)

/** Lists the values that a field of an export extension accepts. Requires the role of editor or higher. */
export const runExtensionOptions = /* @__PURE__ */ operation<'runExtensionOptions'>(
  'POST api/extensions/export/{id}/{field}/options?catalog',
  { body: 'json' },
)

/** Lists the links of products to one extension, as set by Add Extension Link and by exports. Requires the role of viewer or higher. */
export const extensionLinks = /* @__PURE__ */ operation<'extensionLinks'>(
  'POST api/extensions/links/{extension}',
  { body: 'json', repeatable: true },
)

/** Stores the bytes of the request body as a file for use by imports and returns its URL. The file is deleted after some days. Requires the role of editor or higher. Keys of type import can call it as well. */
export const uploadFile = /* @__PURE__ */ operation<'uploadFile'>(
  'POST api/files?name',
  { body: 'stream' },
)

/** Returns the bytes of a file of the organization, as a download. Requires the role of viewer or higher. Keys of type import can call it as well. */
export const readFile = /* @__PURE__ */ operation<'readFile'>(
  'GET api/files/{id}',
  { answer: 'bytes', repeatable: true },
)

/** Returns an image by its id, optionally in a smaller size. No key is required, since the `<img>` elements of a page send none. No API key is required. */
export const readImage = /* @__PURE__ */ operation<'readImage'>(
  'GET api/images/{id}?width',
  { answer: 'bytes', repeatable: true },
)

/** Stores a PNG, JPEG, GIF or WebP image and, if a product is named, adds it to that product. Requires the role of editor or higher. */
export const saveProductImage = /* @__PURE__ */ operation<'saveProductImage'>(
  'POST api/images?catalog&productId',
  { body: 'json' },
)

/** Removes custom images from a product. Files that no product shows any more are deleted. Requires the role of editor or higher. */
export const deleteCustomProductImages = /* @__PURE__ */ operation<'deleteCustomProductImages'>(
  'POST api/images/{productId}/delete?catalog',
  { body: 'json' },
)

/** Queues an import from an uploaded file, another URL or an installed extension. Imports into one catalog run one after the other, and Get Tasks shows their progress. Requires the role of editor or higher. Keys of type import can call it as well. */
export const importData = /* @__PURE__ */ operation<'importData'>(
  'POST api/extensions/import/import',
  { body: 'json' },
)

/** Queues an import with an installed import extension and its stored values. Requires the role of editor or higher. Keys of type import can call it as well. */
export const runImportExtension = /* @__PURE__ */ operation<'runImportExtension'>(
  'POST api/extensions/import/{id}/run',
)

/** Queues the imports of all enabled import extensions of a catalog. Requires the role of editor or higher. Keys of type import can call it as well. */
export const runImportExtensionsForFolio = /* @__PURE__ */ operation<'runImportExtensionsForFolio'>(
  'POST api/extensions/import/folio/{id}/run',
)

/** Queues a task that downloads the externally hosted images of a catalog and makes its products show the stored copies. Requires the role of editor or higher. Keys of type import can call it as well. */
export const fetchPictures = /* @__PURE__ */ operation<'fetchPictures'>(
  'POST api/Catalog/{catalog}/pictures/fetch',
  { body: 'json' },
)

/** Lists the built-in and registered extensions that can be installed. Requires the role of viewer or higher. */
export const getAvailableExtensions = /* @__PURE__ */ operation<'getAvailableExtensions'>(
  'GET api/extensions/available',
  { repeatable: true },
)

/** Returns an installable extension with the fields that it asks for. Requires the role of viewer or higher. */
export const getExtension = /* @__PURE__ */ operation<'getExtension'>(
  'GET api/extensions/available/{id}',
  { repeatable: true },
)

/** Checks whether an installation with these values would succeed and what an import would do, without storing anything. Requires the role of administrator. */
export const validateExtension = /* @__PURE__ */ operation<'validateExtension'>(
  'POST api/extensions/available/{id}/validate',
  { body: 'json' },
)

/** Returns the first rows that an import would read, with a suggested mapping of the columns. Requires the role of editor or higher. Keys of type import can call it as well. */
export const getImportSample = /* @__PURE__ */ operation<'getImportSample'>(
  'POST api/extensions/available/{id}/getSample',
  { body: 'json' },
)

/** Lists the values that a field of an extension accepts, optionally filtered by `search`. Requires the role of administrator. */
export const getInstallExtensionOptions = /* @__PURE__ */ operation<'getInstallExtensionOptions'>(
  'GET api/extensions/available/{id}/{field}/installOptions?search',
  { repeatable: true },
)

/** Installs an extension with its values. Protected values are encrypted and never returned. Requires the role of administrator. */
export const installExtension = /* @__PURE__ */ operation<'installExtension'>(
  'POST api/extensions/available/{id}/install',
  { body: 'json' },
)

/** Lists the extensions that the organization can run: its own, those of its parent, and built-in ones. Requires the role of viewer or higher. */
export const getInstalledExtensions = /* @__PURE__ */ operation<'getInstalledExtensions'>(
  'GET api/extensions/installed',
  { repeatable: true },
)

/** Updates an installed extension. Omitted fields are left unchanged. Requires the role of administrator. */
export const updateInstalledExtension = /* @__PURE__ */ operation<'updateInstalledExtension'>(
  'PUT api/extensions/installed/{id}',
  { body: 'json', repeatable: true },
)

/** Uninstalls an extension, including one that another user installed for themselves, and deletes its values. Imported data is kept. Requires the role of administrator. */
export const uninstallExtension = /* @__PURE__ */ operation<'uninstallExtension'>(
  'DELETE api/extensions/installed/{id}',
  { repeatable: true },
)

/** Lists the runs of an installed extension, newest first, in pages. Requires the role of viewer or higher. */
export const getExtensionLogs = /* @__PURE__ */ operation<'getExtensionLogs'>(
  'GET api/extensions/installed/{id}/logs?page&pageSize',
  { repeatable: true },
)

/** Reads the manifest of a remote extension and makes the extension available to the organization. Repeat the call to read the manifest again. Requires the role of administrator. */
export const registerExtension = /* @__PURE__ */ operation<'registerExtension'>(
  'POST api/extensions/available',
  { body: 'json' },
)

/** Withdraws a registered extension that is not installed anywhere. Requires the role of administrator. */
export const removeExtension = /* @__PURE__ */ operation<'removeExtension'>(
  'DELETE api/extensions/available/{id}?allOrganizations',
  { repeatable: true },
)

/** Creates an API key for the caller or, if an administrator asks, for any member. The secret is returned only once. Available to any user. */
export const generateAPIKey = /* @__PURE__ */ operation<'generateAPIKey'>(
  'POST api/KeyAuth/keys',
  { body: 'json' },
)

/** Lists the caller's API keys or, for administrators, all keys of the organization, newest first. Available to any user. */
export const getAPIKeys = /* @__PURE__ */ operation<'getAPIKeys'>(
  'GET api/KeyAuth/keys',
  { repeatable: true },
)

/** Disables an API key. It stops working at once on this instance and within two seconds on every other. Available to any user. */
export const disableAPIKey = /* @__PURE__ */ operation<'disableAPIKey'>(
  'DELETE api/KeyAuth/keys/{id}',
  { repeatable: true },
)

/** Creates an organization, optionally with a parent and users. Requires an operator. */
export const createOrganization = /* @__PURE__ */ operation<'createOrganization'>(
  'POST api/organizations',
  { body: 'json' },
)

/** Updates the current organization. Omitted fields are left unchanged, `null` clears a field, and lists are replaced. Only operators can change limits and credits. Requires the role of administrator. */
export const updateOrganization = /* @__PURE__ */ operation<'updateOrganization'>(
  'PUT api/organizations/current',
  { body: 'json', repeatable: true },
)

/** Lists the organizations that the key has access to, sorted by id, up to 250 per page. Available to any user. */
export const getOrganizations = /* @__PURE__ */ operation<'getOrganizations'>(
  'GET api/organizations?page&pageSize',
  { repeatable: true },
)

/** Returns the current organization with its own catalogs and users. Requires the role of viewer or higher. */
export const getOrganizationDetails = /* @__PURE__ */ operation<'getOrganizationDetails'>(
  'GET api/organizations/current',
  { repeatable: true },
)

/** Adds a user or changes a user's role and name. Omitted fields are left unchanged, new users are viewers by default, and the user is notified by email on request. Requires the role of administrator. */
export const saveUserToOrganization = /* @__PURE__ */ operation<'saveUserToOrganization'>(
  'PUT api/organizations/current/users/{uname}',
  { body: 'json', repeatable: true },
)

/** Removes a user from the organization, together with their keys and the extensions they installed for themselves. The last administrator cannot be removed. Requires the role of administrator. */
export const removeUserFromOrganization = /* @__PURE__ */ operation<'removeUserFromOrganization'>(
  'DELETE api/organizations/current/users/{uname}',
  { repeatable: true },
)

/** Lists the caller's saved searches, sorted by name. Requires the role of viewer or higher. */
export const getSavedSearches = /* @__PURE__ */ operation<'getSavedSearches'>(
  'GET api/search/saved',
  { repeatable: true },
)

/** Saves a search of the caller under a name, replacing any search of that name. Requires the role of viewer or higher. */
export const saveSearch = /* @__PURE__ */ operation<'saveSearch'>(
  'PUT api/search/saved/{name}?catalog',
  { body: 'json', repeatable: true },
)

/** Deletes a saved search of the caller. Requires the role of viewer or higher. */
export const deleteSavedSearch = /* @__PURE__ */ operation<'deleteSavedSearch'>(
  'DELETE api/search/saved/{name}',
  { repeatable: true },
)

/** Saves the columns that the caller wants to see on a page, in order. Requires the role of viewer or higher. */
export const saveColumns = /* @__PURE__ */ operation<'saveColumns'>(
  'PUT api/organizations/current/columns/{page}',
  { body: 'json', repeatable: true },
)

/** Returns the caller's columns for a page. The list is empty if none were saved. Requires the role of viewer or higher. */
export const getColumns = /* @__PURE__ */ operation<'getColumns'>(
  'GET api/organizations/current/columns/{page}',
  { repeatable: true },
)

/** Lists the price lists of a catalog. Requires the role of viewer or higher. */
export const getPriceLists = /* @__PURE__ */ operation<'getPriceLists'>(
  'GET api/Catalog/{catalog}/priceLists',
  { repeatable: true },
)

/** Returns the settings of a price list. Requires the role of viewer or higher. */
export const getPriceList = /* @__PURE__ */ operation<'getPriceList'>(
  'GET api/Catalog/{catalog}/priceLists/{priceList}',
  { repeatable: true },
)

/** Creates a price list or replaces the settings of an existing one. Its prices are kept. Requires the role of editor or higher. */
export const savePriceList = /* @__PURE__ */ operation<'savePriceList'>(
  'PUT api/Catalog/{catalog}/priceLists/{priceList}',
  { body: 'json', repeatable: true },
)

/** Deletes a price list. Its prices are removed in the background. Requires the role of editor or higher. */
export const deletePriceList = /* @__PURE__ */ operation<'deletePriceList'>(
  'DELETE api/Catalog/{catalog}/priceLists/{priceList}',
  { repeatable: true },
)

/** Lists the prices in a price list, in pages sorted by product. Requires the role of viewer or higher. */
export const getPrices = /* @__PURE__ */ operation<'getPrices'>(
  'GET api/Catalog/{catalog}/priceLists/{priceList}/prices?pageSize&after',
  { repeatable: true },
)

/** Creates a product. An id is generated if none is given, and an id that is already taken returns 409. Requires the role of editor or higher. */
export const createProduct = /* @__PURE__ */ operation<'createProduct'>(
  'POST api/Catalog/{catalog}/products',
  { body: 'json' },
)

/** Returns a product with the data that the organization added to it. Reads reflect all completed writes. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const getProduct = /* @__PURE__ */ operation<'getProduct'>(
  'GET api/Catalog/{catalog}/products/{id}?priceList&includeVendorDetails',
  { repeatable: true },
)

/** Updates the catalog data of a product. Omitted fields are left unchanged, `null` clears a field, and lists and objects are replaced. Requires the role of editor or higher. */
export const updateProduct = /* @__PURE__ */ operation<'updateProduct'>(
  'PUT api/Catalog/{catalog}/products/{id}',
  { body: 'json', repeatable: true },
)

/** Returns several products, each once, in the order of the requested ids. Unknown ids are skipped. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const retrieveProducts = /* @__PURE__ */ operation<'retrieveProducts'>(
  'POST api/Catalog/{catalog}/retrieveProducts',
  { body: 'json', repeatable: true },
)

/** Deletes a product and the data added to it. Its change log is kept. Requires the role of editor or higher. */
export const deleteProduct = /* @__PURE__ */ operation<'deleteProduct'>(
  'DELETE api/Catalog/{catalog}/products/{id}',
  { repeatable: true },
)

/** Lists who changed a product, when and what, newest first, in pages. Requires the role of viewer or higher. */
export const getProductLogs = /* @__PURE__ */ operation<'getProductLogs'>(
  'GET api/Catalog/{catalog}/products/{id}/logs?page&pageSize',
  { repeatable: true },
)

/** Lists who changed the organization's products, when and what, newest first, in pages. Requires the role of viewer or higher. */
export const getProductReportingLogs = /* @__PURE__ */ operation<'getProductReportingLogs'>(
  'GET api/reporting/products?page&pageSize&user&catalog',
  { repeatable: true },
)

/** Reverts a change by restoring the previous values of the fields that it changed. Requires the role of editor or higher. */
export const restoreProduct = /* @__PURE__ */ operation<'restoreProduct'>(
  'POST api/Catalog/{catalog}/products/{id}/logs/{logId}/restore',
)

/** Copies a product to another catalog. The product with the same id there then has the same catalog data and offers. Requires the role of editor or higher. */
export const copyProductToCatalog = /* @__PURE__ */ operation<'copyProductToCatalog'>(
  'POST api/Catalog/{catalog}/products/{id}/copyToCatalog/{targetCatalog}',
)

/** Returns the history of a product's prices and stock, oldest first. Requires the role of viewer or higher. */
export const getInsights = /* @__PURE__ */ operation<'getInsights'>(
  'GET api/Catalog/{catalog}/products/{id}/insights?from&to&vendor',
  { repeatable: true },
)

/** Verifies a buyer's company, user name and API key, and returns the URL at which the user can shop. No API key is required. */
export const punchoutSetup = /* @__PURE__ */ operation<'punchoutSetup'>(
  'POST api/KeyAuth/punchout/setup/json',
  { body: 'json' },
)

/** Redeems a token from Punchout Setup and returns the key and the workspace of the session. No API key is required. */
export const startPunchoutSession = /* @__PURE__ */ operation<'startPunchoutSession'>(
  'GET api/KeyAuth/punchout/session/{token}',
)

/** Ends a session and returns the form with which the browser submits the order. Requires the role of viewer or higher. Keys of type session can call it as well. */
export const returnPunchoutSession = /* @__PURE__ */ operation<'returnPunchoutSession'>(
  'POST api/KeyAuth/punchout/return',
  { body: 'json' },
)

/** Returns current stock and prices of products from all installed vendors. Requires the role of viewer or higher. */
export const runAllRealTimeExtensions = /* @__PURE__ */ operation<'runAllRealTimeExtensions'>(
  'POST api/extensions/realtime/run',
  { body: 'json' },
)

/** Returns current stock and prices of products from one installed vendor. Requires the role of viewer or higher. */
export const runRealTimeExtension = /* @__PURE__ */ operation<'runRealTimeExtension'>(
  'POST api/extensions/realtime/{id}/run',
  { body: 'json' },
)

/** Matches the lines of a list to products, or recommends products for given products or a workspace. Requires the role of viewer or higher. */
export const runRecommendationExtension = /* @__PURE__ */ operation<'runRecommendationExtension'>(
  'POST api/extensions/recommendation/{extension}/run',
  { body: 'json' },
)

/** Stores a list (csv, xlsx, parquet, a Google Merchant feed or text) for some days and returns its URL for use in runs. Requires the role of viewer or higher. */
export const uploadRecommendationFile = /* @__PURE__ */ operation<'uploadRecommendationFile'>(
  'POST api/extensions/recommendation/{extension}/files',
  { body: 'json' },
)

/** Recommends products for the contents of a workspace. Requires the role of viewer or higher. */
export const getRecommendations = /* @__PURE__ */ operation<'getRecommendations'>(
  'GET api/workspaces/{workspace}/recommendations/{extension}',
  { repeatable: true },
)

/** Searches products and returns facets and ranges for narrowing the search. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const search = /* @__PURE__ */ operation<'search'>(
  'POST api/search?catalog',
  { body: 'json', repeatable: true },
)

/** Same as Search, with its fields as query parameters. Responses can be cached as far as the search key allows. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const searchGET = /* @__PURE__ */ operation<'searchGET'>(
  'GET api/search?catalog&keywords&typing&analytics&visitor&page&pageSize&inStock&lowPrice&highPrice&priceList&manufacturer&vendors&must&boost&exclude&segment&category&subCategory&checkRealtimeSelection&includeMetadata&filters&sort&cursor&highlight&group&explain&counts&facetSearch&hidden&fields&compact&facets',
  { repeatable: true },
)

/** Returns the same products in the same order as Search, without facets. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const simpleSearch = /* @__PURE__ */ operation<'simpleSearch'>(
  'POST api/search/simple?catalog',
  { body: 'json', repeatable: true },
)

/** Runs several searches in one request. Each returns the same response and costs the same as with Search. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const searchMany = /* @__PURE__ */ operation<'searchMany'>(
  'POST api/search/many?catalog',
  { body: 'json', repeatable: true },
)

/** Counts the products that the same Search finds. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const count = /* @__PURE__ */ operation<'count'>(
  'POST api/search/count?catalog',
  { body: 'json', repeatable: true },
)

/** Lists the segments, vendors, manufacturers, facets and numeric attributes of a whole catalog. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const metadata = /* @__PURE__ */ operation<'metadata'>(
  'GET api/search/metadata?catalog&priceList&counts',
  { repeatable: true },
)

/** Returns manufacturers, categories and part numbers that start with a text, with optional suggestions for completing it. Requires the role of viewer or higher. Keys of type search can call it as well. */
export const quicksearch = /* @__PURE__ */ operation<'quicksearch'>(
  'GET api/search/quicksearch?catalog&search&include&priceList',
  { repeatable: true },
)

/** Lists the caller's searches, newest first. Requires the role of viewer or higher. */
export const searchHistory = /* @__PURE__ */ operation<'searchHistory'>(
  'GET api/search/history?page&pageSize&distinct',
  { repeatable: true },
)

/** Returns 200 as soon as the service accepts requests, regardless of the state of Elasticsearch. No API key is required. */
export const status = /* @__PURE__ */ operation<'status'>(
  'GET api/status',
  { answer: 'text', repeatable: true },
)

/** Reports whether Elasticsearch is reachable and accepts writes and, if not, what is wrong. No API key is required. */
export const connectionStatus = /* @__PURE__ */ operation<'connectionStatus'>(
  'GET api/status/connections',
  { answer: 'text', repeatable: true },
)

/** Returns the metrics of this instance in the Prometheus text format. Requires an operator. */
export const metrics = /* @__PURE__ */ operation<'metrics'>(
  'GET metrics',
  { answer: 'text', repeatable: true },
)

/** Lists the organization's background tasks with their progress, newest first. Requires the role of viewer or higher. Keys of type import can call it as well. */
export const getTasks = /* @__PURE__ */ operation<'getTasks'>(
  'GET api/tasks?includeDismissed&fetchUpdates',
  { repeatable: true },
)

/** Returns a task with its current progress, however old it is. Requires the role of viewer or higher. Keys of type import can call it as well. */
export const getTask = /* @__PURE__ */ operation<'getTask'>(
  'GET api/tasks/{id}',
  { repeatable: true },
)

/** Marks a task as reviewed or dismissed, confirms its question, or cancels it. Work that was already done is kept. Requires the role of editor or higher. Keys of type import can call it as well. */
export const updateTask = /* @__PURE__ */ operation<'updateTask'>(
  'PUT api/tasks/{id}',
  { body: 'json', repeatable: true },
)

/** Returns all search settings of a catalog. Requires the role of viewer or higher. */
export const getSearchSettings = /* @__PURE__ */ operation<'getSearchSettings'>(
  'GET api/Catalog/{catalog}/search/settings',
  { repeatable: true },
)

/** Replaces the given parts of the search settings of a catalog. The change takes effect within a second. Requires the role of editor or higher. */
export const updateSearchSettings = /* @__PURE__ */ operation<'updateSearchSettings'>(
  'PUT api/Catalog/{catalog}/search/settings',
  { body: 'json', repeatable: true },
)

/** Runs a search with unsaved settings and compares the results with those of the saved settings. Requires the role of editor or higher. */
export const previewSearchSettings = /* @__PURE__ */ operation<'previewSearchSettings'>(
  'POST api/Catalog/{catalog}/search/preview',
  { body: 'json', repeatable: true },
)

/** Returns the synonyms of a catalog. Requires the role of viewer or higher. */
export const getSynonyms = /* @__PURE__ */ operation<'getSynonyms'>(
  'GET api/Catalog/{catalog}/search/synonyms',
  { repeatable: true },
)

/** Replaces the synonyms of a catalog. The change takes effect within a second. Requires the role of editor or higher. */
export const updateSynonyms = /* @__PURE__ */ operation<'updateSynonyms'>(
  'PUT api/Catalog/{catalog}/search/synonyms',
  { body: 'json', repeatable: true },
)

/** Returns the rules of a catalog. Requires the role of viewer or higher. */
export const getSearchRules = /* @__PURE__ */ operation<'getSearchRules'>(
  'GET api/Catalog/{catalog}/search/rules',
  { repeatable: true },
)

/** Replaces the rules of a catalog. The change takes effect within a second. Requires the role of editor or higher. */
export const updateSearchRules = /* @__PURE__ */ operation<'updateSearchRules'>(
  'PUT api/Catalog/{catalog}/search/rules',
  { body: 'json', repeatable: true },
)

/** Returns the ranking settings of a catalog. Requires the role of viewer or higher. */
export const getRankingSettings = /* @__PURE__ */ operation<'getRankingSettings'>(
  'GET api/Catalog/{catalog}/search/ranking',
  { repeatable: true },
)

/** Replaces the ranking settings of a catalog. The change takes effect within a second. Requires the role of editor or higher. */
export const updateRankingSettings = /* @__PURE__ */ operation<'updateRankingSettings'>(
  'PUT api/Catalog/{catalog}/search/ranking',
  { body: 'json', repeatable: true },
)

/** Returns the facet settings of a catalog. Requires the role of viewer or higher. */
export const getFacetSettings = /* @__PURE__ */ operation<'getFacetSettings'>(
  'GET api/Catalog/{catalog}/search/facets',
  { repeatable: true },
)

/** Replaces the facet settings of a catalog. The change takes effect within a second. Requires the role of editor or higher. */
export const updateFacetSettings = /* @__PURE__ */ operation<'updateFacetSettings'>(
  'PUT api/Catalog/{catalog}/search/facets',
  { body: 'json', repeatable: true },
)

/** Starts an experiment, in which a share of the visitors searches with other settings so that their choices can be compared. It replaces a running experiment. Requires the role of editor or higher. */
export const startExperiment = /* @__PURE__ */ operation<'startExperiment'>(
  'PUT api/Catalog/{catalog}/search/experiment',
  { body: 'json', repeatable: true },
)

/** Ends the running experiment. All visitors then search with the same settings again: either the previous ones or the variant. Requires the role of editor or higher. */
export const endExperiment = /* @__PURE__ */ operation<'endExperiment'>(
  'POST api/Catalog/{catalog}/search/experiment/end',
  { body: 'json' },
)

/** Returns the results of an experiment and the confidence intervals of the differences. Requires the role of editor or higher. */
export const experimentReport = /* @__PURE__ */ operation<'experimentReport'>(
  'GET api/Catalog/{catalog}/search/experiment?from&to&name',
  { repeatable: true },
)

/** Returns the searches of a month by user and by API key. Defaults to the current month. Requires the role of administrator. */
export const searchUsage = /* @__PURE__ */ operation<'searchUsage'>(
  'GET api/organizations/current/usage?year&month',
  { repeatable: true },
)

/** Lists the workspaces with their totals, sorted by name, and the items of the first ones. Requires the role of viewer or higher. */
export const getWorkspaces = /* @__PURE__ */ operation<'getWorkspaces'>(
  'GET api/workspaces',
  { repeatable: true },
)

/** Creates an empty workspace. A name that is already taken returns 409. Requires the role of viewer or higher. */
export const createWorkspace = /* @__PURE__ */ operation<'createWorkspace'>(
  'POST api/workspaces',
  { body: 'json' },
)

/** Returns a workspace. Its products have their current data, and its prices are those at the time they were added. Requires the role of viewer or higher. Keys of type session can call it as well. */
export const getWorkspaceDetail = /* @__PURE__ */ operation<'getWorkspaceDetail'>(
  'GET api/workspaces/{workspace}',
  { repeatable: true },
)

/** Deletes a workspace with its items. Its name can be reused at once. Requires the role of viewer or higher. */
export const deleteWorkspace = /* @__PURE__ */ operation<'deleteWorkspace'>(
  'DELETE api/workspaces/{workspace}',
  { repeatable: true },
)

/** Adds a product to a workspace, which is created if it does not exist. Adding the product again updates its item. Requires the role of viewer or higher. Keys of type session can call it as well. */
export const addProductToWorkspace = /* @__PURE__ */ operation<'addProductToWorkspace'>(
  'POST api/Catalog/{catalog}/products/{id}/addToWorkspace/{workspace}',
  { body: 'json' },
)

/** Adds several products to a workspace, either all or none. Requires the role of viewer or higher. Keys of type session can call it as well. */
export const addItemsToWorkspace = /* @__PURE__ */ operation<'addItemsToWorkspace'>(
  'POST api/workspaces/{workspace}/items',
  { body: 'json' },
)

/** Updates the quantity or price of an item. Omitted and `null` fields are left unchanged. Punchout sessions cannot set a price. Requires the role of viewer or higher. Keys of type session can call it as well. */
export const updateWorkspaceItem = /* @__PURE__ */ operation<'updateWorkspaceItem'>(
  'PUT api/workspaces/{workspace}/items/{id}',
  { body: 'json', repeatable: true },
)

/** Removes an item from a workspace. Requires the role of viewer or higher. Keys of type session can call it as well. */
export const deleteWorkspaceItem = /* @__PURE__ */ operation<'deleteWorkspaceItem'>(
  'DELETE api/workspaces/{workspace}/items/{id}',
  { repeatable: true },
)

/** Sets a field of an extension on a workspace. `null` deletes it. Requires the role of viewer or higher. */
export const updateWorkspaceMetadata = /* @__PURE__ */ operation<'updateWorkspaceMetadata'>(
  'PUT api/workspaces/{workspace}/metadata/{extension}/{field}',
  { body: 'json', repeatable: true },
)

/** Lists the fields of all extensions on a workspace. Requires the role of viewer or higher. */
export const getWorkspaceExtensionFieldMetadata = /* @__PURE__ */ operation<'getWorkspaceExtensionFieldMetadata'>(
  'GET api/workspaces/{workspace}/metadata',
  { repeatable: true },
)

/** Lists the fields of one extension on a workspace. Requires the role of viewer or higher. */
export const getWorkspaceExtensionFieldMetadataByExtension = /* @__PURE__ */ operation<'getWorkspaceExtensionFieldMetadataByExtension'>(
  'GET api/workspaces/{workspace}/metadata/{extension}',
  { repeatable: true },
)

/** Returns one field of an extension on a workspace. Requires the role of viewer or higher. */
export const getWorkspaceExtensionFieldMetadataByField = /* @__PURE__ */ operation<'getWorkspaceExtensionFieldMetadataByField'>(
  'GET api/workspaces/{workspace}/metadata/fields/{field}?extension',
  { repeatable: true },
)

/** InstantSearch reads addresses by `qs` in a router that the storefront replaces by its own. */
export default {}

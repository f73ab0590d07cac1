/** Lists in pages: catalogs of features, cursors, and sources that list page by page. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.pagination;

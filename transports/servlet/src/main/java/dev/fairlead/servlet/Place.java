package dev.fairlead.servlet;

import dev.fairlead.http.spi.Route;

/**
 * Where a request has come to.
 *
 * @param route what answers it
 * @param prefix what precedes the path of the route in the URL of the request
 */
record Place(Route route, String prefix) {}

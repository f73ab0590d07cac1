package dev.fairlead.servlet;

import dev.fairlead.http.spi.Route;

/**
 * The route of a request.
 *
 * @param route the route that answers it
 * @param prefix the part before the path of the route in the URL of the request
 */
record Place(Route route, String prefix) {}

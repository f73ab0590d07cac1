package dev.fairlead.servlet;

import dev.fairlead.http.spi.Route;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds the route of a request by the mapping of the servlet. */
final class Routing {
    private final Route endpoint;
    private final Map<String, Route> routes;

    /**
     * @param routes the MCP endpoint first
     */
    Routing(List<Route> routes) {
        this.endpoint = routes.get(0);
        this.routes = routes.stream().collect(Collectors.toUnmodifiableMap(Route::path, r -> r));
    }

    /** Finds the route of the request; null if there is none. */
    @Nullable Place find(HttpServletRequest request) {
        String inMapping = request.getPathInfo();
        String mapped = request.getServletPath();
        Route route = routes.get(inMapping == null ? mapped : mapped + inMapping);
        if (route != null) {
            return new Place(route, request.getContextPath());
        }
        Route below = inMapping == null ? null : below(inMapping);
        if (below != null) {
            return new Place(below, request.getContextPath() + mapped);
        }
        MappingMatch match = request.getHttpServletMapping().getMappingMatch();
        boolean itself =
                match == MappingMatch.EXACT || (match == MappingMatch.PATH && inMapping == null);
        return itself ? new Place(endpoint, request.getContextPath() + mapped) : null;
    }

    /** The slash after the mapping itself is the neighbour of the endpoint. */
    private @Nullable Route below(String inMapping) {
        return routes.get(inMapping.equals("/") ? endpoint.path() + "/" : inMapping);
    }
}

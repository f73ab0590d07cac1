package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.time.Unanswered;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Takes each request to the route of its path. */
final class RouteHandler extends Handler.Abstract {
    private final Map<String, Route.Handler> routes;
    private final SlowHeads slowHeads;
    private final Unanswered unanswered;

    RouteHandler(List<Route> routes, SlowHeads slowHeads, Unanswered unanswered) {
        this.slowHeads = slowHeads;
        this.unanswered = unanswered;
        this.routes =
                routes.stream().collect(Collectors.toUnmodifiableMap(Route::path, Route::handler));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        slowHeads.requested(request);
        unanswered.requested();
        Request.addCompletionListener(request, failure -> unanswered.answered());
        if (isMalformed(request)) {
            refuse(400, request, response, callback);
            return true;
        }
        String path = request.getHttpURI().getPath(); // as it is written
        Route.Handler route = routes.getOrDefault(path, routes.get(Route.OTHERS));
        if (Protocols.isTooLarge(request)) {
            refuse(431, request, response, callback);
        } else if (route == null) {
            refuse(404, request, response, callback);
        } else {
            // A request may take long; that the connection is silent meanwhile says nothing.
            request.addIdleTimeoutListener(timeout -> false);
            route.handle(new JettyExchange(request, path, response, callback));
        }
        return true;
    }

    /**
     * Returns whether a request has no path ({@code CONNECT}), or a header that HTTP/2 does not
     * have (RFC 9113, 8.2.2).
     */
    private static boolean isMalformed(Request request) {
        return request.getHttpURI().getPath() == null
                || HttpMethod.CONNECT.is(request.getMethod())
                || (JettyExchange.isHttp2(request)
                        && request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING));
    }

    /**
     * Refuses a request without its body; over HTTP/2 Jetty answers 500 if the body has not arrived
     * at the end and no head was sent.
     */
    private static void refuse(int status, Request request, Response response, Callback callback) {
        response.setStatus(status);
        if (JettyExchange.isHttp2(request)) {
            response.write(true, BufferUtil.EMPTY_BUFFER, callback);
        } else {
            callback.succeeded();
        }
    }
}

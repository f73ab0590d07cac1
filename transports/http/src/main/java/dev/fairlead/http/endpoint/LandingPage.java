package dev.fairlead.http.endpoint;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Implementation;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The page for a person who opens the URL of the endpoint in a browser: name, title and version of
 * the server, and how to connect a client. It is answered behind the same checks of origin, host
 * and authorization as every request, so a server with an authorization shows it to no browser: the
 * name of a server is part of what it guards. MCP clients never get it.
 */
final class LandingPage {
    private static final String HTML = "text/html";

    /** A {@code Host} that is one, since clients choose it freely. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:\\[\\]-]{1,255}");

    private static final int MAX_NAME = 40;

    private final Implementation server;
    private final Settings settings;

    LandingPage(Implementation server, Settings settings) {
        this.server = server;
        this.settings = settings;
    }

    /**
     * Returns whether a browser asks for a page: it names HTML, and nothing that MCP clients name.
     */
    static boolean isAskedBy(HttpExchange exchange) {
        return (exchange.method().equals("GET") || exchange.method().equals("HEAD"))
                && MediaTypes.isNamed(exchange.headers("Accept"), HTML)
                && !MediaTypes.isNamed(exchange.headers("Accept"), MediaTypes.EVENTS)
                && Reply.sessionId(exchange).isEmpty()
                && exchange.header("MCP-Protocol-Version").isEmpty()
                && exchange.header("Last-Event-ID").isEmpty();
    }

    void answer(HttpExchange exchange, Reply reply) {
        reply.page(page(exchange));
    }

    private HtmlPage page(HttpExchange exchange) {
        String title = Optional.ofNullable(server.title()).orElse(server.name());
        String url = url(exchange);
        String body =
                "<h1>"
                        + HtmlPage.escaped(title)
                        + "</h1><p>"
                        + HtmlPage.escaped(server.name() + " " + server.version())
                        + ", a server of the Model Context Protocol. It has no pages: programs such"
                        + " as Claude, Cursor or VS Code use it.</p>"
                        + "<h2>From a terminal</h2>"
                        + code("fairlead tools list " + url)
                        + "<h2>In the file of a host</h2>"
                        + code(hostFile(url))
                        + console(exchange);
        return new HtmlPage(200, title, body);
    }

    /**
     * Returns a link to the console for people on this machine, the only ones for whom it may
     * exist; empty without one. The console decides by itself who may use it.
     */
    private String console(HttpExchange exchange) {
        HttpConsole console = settings.console;
        boolean here = exchange.remoteAddress().filter(InetAddress::isLoopbackAddress).isPresent();
        return console == null || !here
                ? ""
                : "<h2>For operators</h2><p><a href=\""
                        + HtmlPage.escaped(exchange.prefix() + console.paths().getFirst())
                        + "\">The console</a> shows the work of the server. Open it by the address"
                        + " that the server printed when it started.</p>";
    }

    /** Returns the URL of the endpoint as this browser reaches it. */
    private String url(HttpExchange exchange) {
        String host =
                exchange.host().filter(named -> HOST.matcher(named).matches()).orElse("localhost");
        return exchange.scheme() + "://" + host + exchange.prefix() + settings.path;
    }

    private String hostFile(String url) {
        JsonObject definition = JsonObject.of("type", "http", "url", url);
        return """
        {
          "mcpServers": {
            "%s": %s
          }
        }\
        """
                .formatted(key(), definition.toJson());
    }

    /** Returns the name of the server as hosts accept it. */
    private String key() {
        String name = server.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]+", "-");
        return name.substring(0, Math.min(name.length(), MAX_NAME));
    }

    private static String code(String text) {
        return "<pre>" + HtmlPage.escaped(text) + "</pre>";
    }
}

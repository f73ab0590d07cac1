package dev.fairlead.http.page;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.protocol.platform.Sha256;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * A page for a person: it loads nothing, runs nothing, and is shown in no frame.
 *
 * @param body HTML in which all text from others is {@linkplain #escaped escaped}
 */
public record HtmlPage(int status, String title, String body) {
    private static final String STYLE =
            """
            :root{color-scheme:light dark;background:Canvas;color:CanvasText}\
            body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:10vh auto;padding:0 1.5rem}\
            h1{font-size:1.4rem}\
            dt{font-weight:600;margin-top:.75rem}\
            dd{margin:0;overflow-wrap:anywhere}\
            h2{font-size:1.1rem;margin-top:2rem}\
            pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:.75rem;border:1px solid;border-radius:.4rem}\
            form{margin-top:2rem;display:flex;gap:.75rem}\
            button{font:inherit;padding:.5rem 1.25rem;border-radius:.4rem;border:1px solid;cursor:pointer}\
            .note{opacity:.75}\
            """;

    /**
     * Without {@code form-action}: browsers apply it to the redirects behind a form too, and those
     * of a login lead elsewhere.
     */
    private static final String POLICY =
            "default-src 'none'; style-src 'sha256-"
                    + Base64.getEncoder().encodeToString(Sha256.bytes(STYLE))
                    + "'; base-uri 'none'; frame-ancestors 'none'";

    private static final Map<String, String> PROTECTION =
            Map.of(
                    "Content-Security-Policy", POLICY,
                    "X-Frame-Options", "DENY",
                    "X-Content-Type-Options", "nosniff",
                    "Referrer-Policy", "no-referrer",
                    "Cache-Control", "no-store");

    /** Escapes a text for HTML. */
    public static String escaped(String text) {
        StringBuilder html = new StringBuilder(text.length());
        text.chars()
                .forEach(
                        c -> {
                            switch (c) {
                                case '&' -> html.append("&amp;");
                                case '<' -> html.append("&lt;");
                                case '>' -> html.append("&gt;");
                                case '"' -> html.append("&quot;");
                                case '\'' -> html.append("&#39;");
                                default -> html.append((char) c);
                            }
                        });
        return html.toString();
    }

    /** Answers an exchange with this page and these headers. */
    public void show(HttpExchange exchange, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers());
        all.putAll(headers);
        exchange.respond(new ResponseHead(status, all), bytes());
    }

    /** The headers of each page. */
    public static Map<String, String> headers() {
        Map<String, String> all = new HashMap<>(PROTECTION);
        all.put("Content-Type", "text/html; charset=utf-8");
        return all;
    }

    /** The page in UTF-8. */
    public byte[] bytes() {
        return html().getBytes(StandardCharsets.UTF_8);
    }

    private String html() {
        return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>"
                + escaped(title)
                + "</title><style>"
                + STYLE
                + "</style></head><body><main>"
                + body
                + "</main></body></html>";
    }

    /** Sends the browser elsewhere, by GET. */
    public static void redirect(HttpExchange exchange, String location) {
        Map<String, String> headers = new HashMap<>(PROTECTION);
        headers.put("Location", location);
        exchange.respond(new ResponseHead(303, headers), new byte[0]);
    }
}

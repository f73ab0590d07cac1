package dev.fairlead.console.pages;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The static files of the console, which hold no data, so they need no login. */
public final class Assets {
    /** The page itself. */
    public static final String PAGE = "index.html";

    /** The frame of pages that a server sends. */
    private static final String SANDBOX = "sandbox.html";

    private static final List<String> NAMES =
            List.of(
                    "console.css",
                    "workbench.css",
                    "icon.svg",
                    "lit-html.js",
                    "app.js",
                    "connection.js",
                    "format.js",
                    "parts.js",
                    "apps.js",
                    "bench.js",
                    "content.js",
                    "copies.js",
                    "questions.js",
                    SANDBOX,
                    "schema.js",
                    "views/sessions.js",
                    "views/streams.js",
                    "views/calls.js",
                    "views/tasks.js",
                    "views/figures.js",
                    "views/refusals.js",
                    "views/log.js",
                    "views/features.js",
                    "views/limits.js",
                    "views/try.js",
                    "views/workbench.js");

    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "svg", "image/svg+xml");

    private static final Map<String, File> FILES = new ConcurrentHashMap<>();

    private record File(byte[] bytes, String tag) {}

    private Assets() {}

    /** Returns the paths of all files but the page, below that of the console. */
    public static List<String> names() {
        return NAMES;
    }

    /** Answers with a file. */
    public static void answer(HttpExchange exchange, String name) {
        File file = FILES.computeIfAbsent(name, Assets::read);
        if (exchange.headers("If-None-Match").contains(file.tag)) {
            exchange.respond(ResponseHead.of(304, Answers.headers("ETag", file.tag)), new byte[0]);
            return;
        }
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
        exchange.respond(
                ResponseHead.of(
                        200,
                        Answers.headersWith(
                                name.equals(SANDBOX) ? Answers.SANDBOX_POLICY : Answers.POLICY,
                                "Content-Type",
                                type,
                                "Cache-Control",
                                "no-cache",
                                "ETag",
                                file.tag)),
                file.bytes);
    }

    private static File read(String name) {
        try (InputStream in =
                Assets.class.getResourceAsStream("/dev/fairlead/console/pages/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the file " + name + " of the console is missing");
            }
            byte[] bytes = in.readAllBytes();
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return new File(bytes, '"' + HexFormat.of().formatHex(hash, 0, 8) + '"');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

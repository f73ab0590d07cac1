package dev.fairlead.cli.view;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Map;

/**
 * Makes the name of a file from text of a server: one plain name that cannot leave a folder, hide
 * or be taken for an option.
 */
final class FileName {
    private static final int MAX_LENGTH = 80;

    private static final Map<String, String> EXTENSIONS =
            Map.ofEntries(
                    Map.entry("image/png", ".png"),
                    Map.entry("image/jpeg", ".jpg"),
                    Map.entry("image/gif", ".gif"),
                    Map.entry("image/webp", ".webp"),
                    Map.entry("image/svg+xml", ".svg"),
                    Map.entry("audio/wav", ".wav"),
                    Map.entry("audio/mpeg", ".mp3"),
                    Map.entry("audio/ogg", ".ogg"),
                    Map.entry("application/json", ".json"),
                    Map.entry("application/pdf", ".pdf"),
                    Map.entry("application/octet-stream", ".bin"),
                    Map.entry("text/plain", ".txt"),
                    Map.entry("text/html", ".html"),
                    Map.entry("text/csv", ".csv"),
                    Map.entry("text/markdown", ".md"));

    private FileName() {}

    /**
     * A name of ASCII letters, digits, {@code . _ -}, at most 80 long; the type gives it an
     * extension where it has none.
     */
    static String of(String wish, @Nullable String mimeType) {
        String name = wish.replaceAll("[^A-Za-z0-9._-]+", "_").replaceFirst("^[._-]+", "");
        if (name.length() > MAX_LENGTH) {
            name = name.substring(name.length() - MAX_LENGTH).replaceFirst("^[._-]+", "");
        }
        if (name.isEmpty()) {
            name = "resource";
        }
        return name.contains(".") ? name : name + extension(mimeType);
    }

    private static String extension(@Nullable String mimeType) {
        if (mimeType == null) {
            return "";
        }
        String essence = mimeType.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
        return EXTENSIONS.getOrDefault(essence, "");
    }
}

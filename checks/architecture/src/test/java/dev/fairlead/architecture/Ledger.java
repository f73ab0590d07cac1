package dev.fairlead.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requirement ledgers and the page of rows that no test here proves, both read from {@code
 * docs/spec}.
 */
record Ledger(Map<String, Row> rows, Map<String, String> exclusions) {

    /** One requirement: its level, such as {@code MUST NOT}, and its text. */
    record Row(String id, String level, String text) {

        private static final Set<String> AREAS =
                Set.of(
                        "BASE", "ERR", "LIFE", "PING", "CANC", "PROG", "TRAN", "STDIO", "HTTP",
                        "SSE", "JSON", "TOOL", "RES", "PROMPT", "COMP", "LOG", "PAGE", "ROOT",
                        "SAMP", "ELIC", "TASK", "SEC", "VERS");

        /** Whether the row has to be proven by a test or excluded with a reason. */
        boolean isDemanded() {
            if (id.startsWith("N26-")) {
                return isRule() && isOfALibrary();
            }
            int number = Integer.parseInt(id.substring(id.length() - 3));
            return area().equals("ROOM") ? number <= 81 : AREAS.contains(area()) && isRule();
        }

        private boolean isRule() {
            return level.startsWith("MUST") || level.startsWith("SHOULD");
        }

        /**
         * In the newer ledger the text begins with the side: S for servers, C for clients, B for
         * both, R for resource servers, T for transports.
         */
        private boolean isOfALibrary() {
            return text.matches("(?s)[SCBRT] \\|.*");
        }

        private String area() {
            return id.substring(0, id.length() - 4);
        }
    }

    private static final Pattern ROW =
            Pattern.compile("\\| ((?:N26-)?[A-Z]+-\\d{3}) \\| ([^|]+) \\| (.+) \\|");
    private static final Pattern EXCLUSION =
            Pattern.compile("\\| ((?:N26-)?[A-Z]+-(?:\\d{3}|\\*)) \\| (.+) \\|");

    static Ledger read(Path folder) throws IOException {
        Map<String, Row> rows = new LinkedHashMap<>();
        for (String ledger : List.of("requirements-2025-11-25.md", "requirements-2026-07-28.md")) {
            for (String line : Files.readAllLines(folder.resolve(ledger))) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    rows.put(row.group(1), new Row(row.group(1), row.group(2), row.group(3)));
                }
            }
        }
        Map<String, String> exclusions = new LinkedHashMap<>();
        String section = "";
        for (String line : Files.readAllLines(folder.resolve("not-provable.md"))) {
            Matcher exclusion = EXCLUSION.matcher(line);
            if (line.startsWith("## ")) {
                section = line.substring("## ".length());
            } else if (exclusion.matches()) {
                exclusions.put(exclusion.group(1), section + ": " + exclusion.group(2));
            }
        }
        return new Ledger(rows, exclusions);
    }

    /** Whether an id, or an area written as {@code AUTH-*}, has rows. */
    boolean has(String idOrArea) {
        return idOrArea.endsWith("*")
                ? rows.keySet().stream().anyMatch(id -> area(id).equals(idOrArea))
                : rows.containsKey(idOrArea);
    }

    /** Why a row is excluded, if it is. */
    Optional<String> exclusion(Row row) {
        return Optional.ofNullable(exclusions.get(row.id()))
                .or(() -> Optional.ofNullable(exclusions.get(area(row.id()))));
    }

    private static String area(String id) {
        return id.substring(0, id.length() - 3) + "*";
    }
}

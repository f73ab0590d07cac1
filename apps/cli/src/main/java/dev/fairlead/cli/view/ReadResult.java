package dev.fairlead.cli.view;

import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.ResourceContents;

import java.util.List;

/** The contents of a resource as people see them. */
public final class ReadResult {
    private ReadResult() {}

    /** Shows a single text unchanged; otherwise each part under a line that describes it. */
    public static List<String> lines(ReadResourceResult result, Screen screen) {
        Blocks blocks = new Blocks(screen);
        List<ResourceContents> contents = result.contents();
        if (contents.size() == 1 && contents.get(0).text() != null) {
            return blocks.text(contents.get(0).text());
        }
        return contents.stream().flatMap(part -> blocks.labelled(part).stream()).toList();
    }
}

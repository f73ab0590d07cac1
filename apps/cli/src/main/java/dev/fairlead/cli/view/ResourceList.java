package dev.fairlead.cli.view;

import dev.fairlead.cli.view.Table.Column;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;

import java.util.List;

/** Resources and resource templates as people see them. */
public final class ResourceList {
    private static final Column URI = Column.of("URI", Style.BOLD);
    private static final Column TEMPLATE = Column.of("URI TEMPLATE", Style.BOLD);
    private static final Column NAME = Column.wrapping("NAME", Style.PLAIN);
    private static final Column TYPE = Column.of("TYPE", Style.PLAIN);
    private static final Column DESCRIPTION = Column.wrapping("DESCRIPTION", Style.PLAIN);

    private ResourceList() {}

    /**
     * Columns: URI, name for people, type, size (on a terminal as people read it, elsewhere in
     * bytes), description.
     */
    public static List<String> resources(List<Resource> resources, Screen screen) {
        Table table = Table.of(URI, NAME, TYPE, Column.of("SIZE", Style.PLAIN), DESCRIPTION);
        for (Resource resource : resources) {
            table.row(
                    Printable.line(resource.uri()),
                    Printable.line(resource.displayName()),
                    Names.line(resource.mimeType()),
                    size(resource, screen),
                    Names.line(resource.description()));
        }
        return resources.isEmpty() ? Names.none("resources", screen) : table.lines(screen);
    }

    /** Columns: URI template, name for people, type, description. */
    public static List<String> templates(List<ResourceTemplate> templates, Screen screen) {
        Table table = Table.of(TEMPLATE, NAME, TYPE, DESCRIPTION);
        for (ResourceTemplate template : templates) {
            table.row(
                    Printable.line(template.uriTemplate()),
                    Printable.line(template.displayName()),
                    Names.line(template.mimeType()),
                    Names.line(template.description()));
        }
        return templates.isEmpty() ? Names.none("resource templates", screen) : table.lines(screen);
    }

    private static String size(Resource resource, Screen screen) {
        Long size = resource.size();
        if (size == null) {
            return "";
        }
        return screen.terminal() ? ByteSize.of(size) : size.toString();
    }
}

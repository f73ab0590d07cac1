package dev.fairlead.browser;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rules for people who use a screen reader, checked on the tree that Chromium gives to it. */
final class Accessibility {
    /** The roles that need a name. */
    private static final Set<String> NAMED =
            Set.of(
                    "button",
                    "checkbox",
                    "combobox",
                    "dialog",
                    "Iframe",
                    "image",
                    "link",
                    "listbox",
                    "menuitem",
                    "meter",
                    "navigation",
                    "option",
                    "progressbar",
                    "radio",
                    "region",
                    "searchbox",
                    "slider",
                    "spinbutton",
                    "tab",
                    "table",
                    "textbox");

    /** Rules on the elements of the page; returns a text for each breach. */
    private static final String RULES =
            """
            () => {
              const found = [];
              const about = e => e.outerHTML.slice(0, 120);
              const seen = e => e.checkVisibility({visibilityProperty: true});
              const ids = new Map();
              for (const e of document.querySelectorAll('[id]')) {
                if (ids.has(e.id)) found.push('the id is not unique: ' + about(e));
                ids.set(e.id, e);
              }
              for (const e of document.querySelectorAll('label[for]')) {
                if (!ids.has(e.htmlFor)) found.push('a label of nothing: ' + about(e));
              }
              for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls']) {
                for (const e of document.querySelectorAll('[' + name + ']')) {
                  for (const id of e.getAttribute(name).split(' ')) {
                    if (!ids.has(id)) found.push(name + ' leads nowhere: ' + about(e));
                  }
                }
              }
              for (const e of document.querySelectorAll('[role=group], fieldset')) {
                if (!e.ariaLabel && !e.querySelector(':scope > legend')?.textContent.trim()) {
                  found.push('a group without a name: ' + about(e));
                }
              }
              let level = 0;
              let first = 0;
              for (const e of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
                if (!seen(e)) continue;
                const at = Number(e.localName[1]);
                if (at === 1) first++;
                if (at > level + 1) found.push('a level of headings is skipped: ' + about(e));
                level = at;
              }
              if (first !== 1) found.push(first + ' headings of level 1');
              for (const e of document.querySelectorAll('a a, a button, button a, button button, label label')) {
                found.push('interactive elements are nested: ' + about(e));
              }
              for (const e of document.querySelectorAll('[tabindex]')) {
                if (e.tabIndex > 0) found.push('an order of its own: ' + about(e));
              }
              if (!document.documentElement.lang) found.push('no language');
              if (!document.title) found.push('no title');
              if (document.querySelectorAll('main').length !== 1) found.push('not one main');
              return found;
            }
            """;

    private Accessibility() {}

    /** Returns the breaches on a page as it is. */
    static List<String> breaches(Page page) {
        List<String> found = new ArrayList<>();
        for (Object breach : (List<?>) page.evaluate(RULES)) {
            found.add(String.valueOf(breach));
        }
        CDPSession session = page.context().newCDPSession(page);
        try {
            for (JsonElement node :
                    session.send("Accessibility.getFullAXTree").getAsJsonArray("nodes")) {
                check(node.getAsJsonObject(), found);
            }
        } finally {
            session.detach();
        }
        return found;
    }

    private static void check(JsonObject node, List<String> found) {
        if (node.get("ignored").getAsBoolean()) {
            return;
        }
        String role = value(node, "role");
        if (value(node, "name").isBlank() && NAMED.contains(role)) {
            found.add("no name: " + role + " " + node);
        }
        if (isFocusable(node) && (role.equals("generic") || role.equals("none"))) {
            found.add("no role: " + node);
        }
    }

    private static String value(JsonObject node, String member) {
        JsonObject of = node.getAsJsonObject(member);
        return of == null || !of.has("value") ? "" : of.get("value").getAsString();
    }

    private static boolean isFocusable(JsonObject node) {
        if (!node.has("properties")) {
            return false;
        }
        for (JsonElement property : node.getAsJsonArray("properties")) {
            if (property.getAsJsonObject().get("name").getAsString().equals("focusable")) {
                return property.getAsJsonObject()
                        .getAsJsonObject("value")
                        .get("value")
                        .getAsBoolean();
            }
        }
        return false;
    }
}

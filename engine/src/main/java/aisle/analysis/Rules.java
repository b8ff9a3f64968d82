package aisle.analysis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of the form {@code left => right}, as mapping and type_table take them. */
final class Rules {

    record Pair(String left, String right) {}

    private static final Pattern RULE = Pattern.compile("(.*)\\s*=>\\s*(.*)\\s*$");

    private Rules() {}

    static Pair parse(String rule) {
        Matcher matcher = RULE.matcher(rule);
        if (!matcher.find()) {
            throw new IllegalArgumentException("Invalid Mapping Rule : [" + rule + "]");
        }
        return new Pair(unescape(matcher.group(1).trim()), unescape(matcher.group(2).trim()));
    }

    /** Resolves one backslash escape: \\ \n \t \r \b \f and \ u with four digits. */
    static String unescape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            if (++at == text.length()) {
                throw new IllegalArgumentException("Invalid escaped char in [" + text + "]");
            }
            c = text.charAt(at);
            switch (c) {
                case 'n' -> out.append('\n');
                case 't' -> out.append('\t');
                case 'r' -> out.append('\r');
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'u' -> {
                    if (at + 4 >= text.length()) {
                        throw new IllegalArgumentException("Invalid escaped char in [" + text + "]");
                    }
                    out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                }
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}

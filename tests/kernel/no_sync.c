/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For LD_PRELOAD: a program that believes its files to be on the disk when they are not. */
int fsync(int file);
int fdatasync(int file);

int fsync(int file)
{
    (void)file;
    return 0;
}

int fdatasync(int file)
{
    (void)file;
    return 0;
}
